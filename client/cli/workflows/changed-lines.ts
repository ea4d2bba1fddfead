/** The lines in which two texts differ, with two around them. Pure. */
const around = 2
/** Above it, everything between the first and the last difference counts as changed. */
const mostCells = 4_000_000

interface Line {
  mark: ' ' | '-' | '+'
  text: string
}

const split = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** How many lines two texts have in common from each pair of places on. */
const commonFrom = (left: readonly string[], right: readonly string[]): Uint32Array[] => {
  const rows = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = rows[i] as Uint32Array
      const below = rows[i + 1] as Uint32Array
      row[j] = left[i] === right[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  return rows
}

const marked = (mark: Line['mark'], texts: readonly string[]): Line[] => texts.map((text) => ({ mark, text }))

const compare = (left: readonly string[], right: readonly string[]): Line[] => {
  if (left.length * right.length > mostCells) return [...marked('-', left), ...marked('+', right)]
  const common = commonFrom(left, right)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push({ mark: ' ', text: left[i] ?? '' })
      i += 1
      j += 1
    } else if (j >= right.length || (i < left.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ mark: '-', text: left[i] ?? '' })
      i += 1
    } else {
      lines.push({ mark: '+', text: right[j] ?? '' })
      j += 1
    }
  }
  return lines
}

export const changedLines = (before: string, after: string): string[] => {
  const [left, right] = [split(before), split(after)]
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  let end = 0
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const lines = [
    ...marked(' ', left.slice(Math.max(0, start - around), start)),
    ...compare(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...marked(' ', left.slice(left.length - end, left.length - end + around)),
  ]
  const isNear = (at: number) => lines.slice(Math.max(0, at - around), at + around + 1).some(({ mark }) => mark !== ' ')
  return lines.flatMap(({ mark, text }, at) => (isNear(at) ? [`${mark} ${text}`] : []))
}
