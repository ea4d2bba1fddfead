/**
 * A line diff of two texts. Pure.
 *
 * The shortest edit script (Myers, 1986). Texts that differ in more than `maxEdits` lines are shown as completely replaced,
 * which bounds the cost of one text; a comparison of many texts shares one `LineWork`.
 */
export interface LineChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** What a comparison may still spend, in characters read, lines shown and steps of the search. */
export interface LineWork {
  left: number
}

const maxEdits = 400
/** About fifty texts that differ completely, or thousands that differ in a few lines. */
const usualWork = 5_000_000
/** Each line becomes an object, however short it is. */
const lineWork = 25

export const newLineWork = (): LineWork => ({ left: usualWork })

/** Undefined where there is no work left for it. */
export const diffLines = (before: string, after: string, work: LineWork): LineChange[] | undefined => {
  work.left -= before.length + after.length
  if (work.left < 0) return undefined
  const lines = { old: before.split('\n'), now: after.split('\n') }
  work.left -= (lines.old.length + lines.now.length) * lineWork
  if (work.left < 0) return undefined
  const { old, now } = numbered(lines)
  const head = commonLength(old, now, (list, index) => list[index])
  const tail = commonLength(old.slice(head), now.slice(head), (list, index) => list[list.length - 1 - index])
  const middle = shortestScript(old.slice(head, old.length - tail), now.slice(head, now.length - tail), work)
  return middle && spellOut([...same(head), ...middle, ...same(tail)], lines)
}

type Kind = LineChange['kind']

const same = (count: number): Kind[] => Array<Kind>(count).fill('same')

/** Equal lines get the same number: the search compares each of them many times. */
const numbered = ({ old, now }: { old: readonly string[]; now: readonly string[] }) => {
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const known = numbers.get(line)
    if (known === undefined) numbers.set(line, numbers.size)
    return known ?? numbers.size - 1
  }
  return { old: old.map(numberOf), now: now.map(numberOf) }
}

const spellOut = (kinds: readonly Kind[], lines: { old: readonly string[]; now: readonly string[] }): LineChange[] => {
  let old = 0
  let now = 0
  return kinds.map((kind) => {
    const text = (kind === 'added' ? lines.now[now] : lines.old[old]) ?? ''
    if (kind !== 'added') old += 1
    if (kind !== 'removed') now += 1
    return { kind, text }
  })
}

const commonLength = (
  one: readonly number[],
  other: readonly number[],
  at: (lines: readonly number[], index: number) => number | undefined,
): number => {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && at(one, length) === at(other, length)) length += 1
  return length
}

/** How far each diagonal of the edit grid reached, by its number; -1 where nothing did. */
type Reached = Int32Array

const farthest = (reached: Reached, diagonal: number): number => reached[diagonal + (reached.length >> 1)] ?? -1

/** Extends each diagonal by one edit at a time, and keeps how far all of them had reached before. */
const shortestScript = (old: readonly number[], now: readonly number[], work: LineWork): Kind[] | undefined => {
  const most = Math.min(old.length + now.length, maxEdits)
  const reached: Reached = new Int32Array(2 * most + 3).fill(-1)
  const middle = reached.length >> 1
  reached[middle + 1] = 0
  const trail: Reached[] = []
  for (let edits = 0; edits <= most; edits += 1) {
    // Those that this many edits can reach, and one more on either side.
    const kept = reached.slice(middle - edits - 1, middle + edits + 2)
    work.left -= kept.length
    if (work.left < 0) return undefined
    trail.push(kept)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(reached, diagonal, edits)
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1
      reached[middle + diagonal] = x
      if (x >= old.length && x - diagonal >= now.length) return walkBack(trail, old, now)
    }
  }
  return [...old.map((): Kind => 'removed'), ...now.map((): Kind => 'added')]
}

const goesDown = (reached: Reached, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && farthest(reached, diagonal - 1) < farthest(reached, diagonal + 1))

const startOf = (reached: Reached, diagonal: number, edits: number): number =>
  goesDown(reached, diagonal, edits) ? farthest(reached, diagonal + 1) : farthest(reached, diagonal - 1) + 1

const walkBack = (trail: readonly Reached[], old: readonly number[], now: readonly number[]): Kind[] => {
  const kinds: Kind[] = []
  let x = old.length
  let y = now.length
  for (let edits = trail.length - 1; edits >= 0; edits -= 1) {
    const reached = trail[edits] ?? new Int32Array()
    const isDown = goesDown(reached, x - y, edits)
    const fromX = farthest(reached, x - y + (isDown ? 1 : -1))
    const fromY = fromX - (x - y + (isDown ? 1 : -1))
    const keptUntil = edits === 0 ? 0 : Math.max(fromX + (isDown ? 0 : 1), 0)
    while (x > keptUntil && y > 0 && old[x - 1] === now[y - 1]) {
      x -= 1
      y -= 1
      kinds.push('same')
    }
    if (edits === 0) break
    kinds.push(isDown ? 'added' : 'removed')
    x = fromX
    y = fromY
  }
  return kinds.reverse()
}
