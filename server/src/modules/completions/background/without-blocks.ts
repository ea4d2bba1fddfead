/**
 * A text without the blocks between two marks. Read once from left to right: a pattern would look for the end again from
 * each beginning, which takes minutes where there are thousands and no end. Pure.
 */
export const withoutBlocks = (text: string, opening: string, closing: string): string => {
  let kept = ''
  let at = 0
  for (;;) {
    const open = text.indexOf(opening, at)
    const close = open < 0 ? -1 : text.indexOf(closing, open + opening.length)
    if (close < 0) return kept + text.slice(at)
    kept += text.slice(at, open)
    at = close + closing.length
  }
}
