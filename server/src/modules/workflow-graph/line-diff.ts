/**
 * A line diff of two texts. Pure.
 *
 * Texts that still differ in more than `maxEdits` lines when those on one side alone are left out are shown as completely
 * replaced between the lines that they begin and end with, which bounds the cost of one text; a comparison of many texts
 * shares one `LineWork`.
 */
import { diffArrays } from 'diff/lib/diff/array.js'

export interface LineChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** The work that a comparison may still do, in characters read. */
export interface LineWork {
  left: number
}

const maxEdits = 200
/**
 * The cost of a line and of a step of the search, in characters. A search takes as many steps as the square of its
 * edits.
 */
const charactersPerStep = 20
/** Six texts whose lines were put into another order, or thousands that differ in a few lines. */
const usualWork = 5_000_000

export const newLineWork = (): LineWork => ({ left: usualWork })

/** Undefined where there is no work left for it. */
export const diffLines = (before: string, after: string, work: LineWork): LineChange[] | undefined => {
  work.left -= before.length + after.length
  if (work.left < 0) return undefined
  const [old, now] = [before.split('\n'), after.split('\n')]
  work.left -= (old.length + now.length) * charactersPerStep
  if (work.left < 0) return undefined
  const head = commonLength(old, now)
  const tail = commonLength(old.slice(head).reverse(), now.slice(head).reverse())
  const middle = diffMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail), work)
  return [...linesOf('same', old.slice(0, head)), ...middle, ...linesOf('same', old.slice(old.length - tail))]
}

const linesOf = (kind: LineChange['kind'], lines: readonly string[]): LineChange[] =>
  lines.map((text) => ({ kind, text }))

const commonLength = (one: readonly string[], other: readonly string[]): number => {
  const differs = one.findIndex((line, index) => line !== other[index])
  return differs === -1 ? one.length : differs
}

const diffMiddle = (old: readonly string[], now: readonly string[], work: LineWork): LineChange[] => {
  const changes: LineChange[] = []
  let [oldAt, nowAt] = [0, 0]
  const upTo = (oldEnd: number, nowEnd: number): void => {
    for (const line of linesOf('removed', old.slice(oldAt, oldEnd))) changes.push(line)
    for (const line of linesOf('added', now.slice(nowAt, nowEnd))) changes.push(line)
    ;[oldAt, nowAt] = [oldEnd, nowEnd]
  }
  for (const text of keptLines(old, now, work)) {
    upTo(old.indexOf(text, oldAt), now.indexOf(text, nowAt))
    changes.push({ kind: 'same', text })
    ;[oldAt, nowAt] = [oldAt + 1, nowAt + 1]
  }
  upTo(old.length, now.length)
  return changes
}

/** The most lines that both have in the same order; none where they differ in too many. */
const keptLines = (old: readonly string[], now: readonly string[], work: LineWork): string[] => {
  const changes = diffArrays(alsoIn(now, old), alsoIn(old, now), { maxEditLength: maxEdits })
  const edits = changes?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0)
  work.left -= (edits ?? maxEdits) ** 2 * charactersPerStep
  return changes?.flatMap(({ added, removed, value }) => (added || removed ? [] : value)) ?? []
}

const alsoIn = (others: readonly string[], lines: readonly string[]): string[] => {
  const known = new Set(others)
  return lines.filter((line) => known.has(line))
}
