/**
 * Replaces what stands between two marks. Read once from left to right: a pattern would look for the end again from each
 * beginning, which hangs the tab where there are thousands and no end. Pure.
 */
export interface Between {
  opening: string
  closing: string
  /** Both marks on one line. */
  inOneLine?: boolean
}

export function replaceBetween(
  text: string,
  { opening, closing, inOneLine = false }: Between,
  replace: (body: string) => string,
): string {
  let replaced = ''
  let kept = 0
  let close = -1
  let lineEnd = -1
  for (let open = text.indexOf(opening); open >= 0; open = text.indexOf(opening, open)) {
    const start = open + opening.length
    // A body has at least one character.
    if (close <= start) close = text.indexOf(closing, start + 1)
    if (close < 0) break
    if (inOneLine && lineEnd < open) lineEnd = endOfLine(text, open)
    if (inOneLine && close > lineEnd) {
      open = lineEnd
      continue
    }
    replaced += text.slice(kept, open) + replace(text.slice(start, close))
    open = close + closing.length
    kept = open
  }
  return kept === 0 ? text : replaced + text.slice(kept)
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
