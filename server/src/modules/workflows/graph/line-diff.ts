/**
 * A line diff of two texts. Pure.
 *
 * The shortest edit script (Myers, 1986). Texts that differ in more than `maxEdits` lines are shown as completely replaced,
 * which bounds the cost.
 */
export interface LineChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

const maxEdits = 400

export const diffLines = (before: string, after: string): LineChange[] => {
  const old = before.split('\n')
  const now = after.split('\n')
  const head = commonLength(old, now, (lines, index) => lines[index])
  const restOld = old.slice(head)
  const restNow = now.slice(head)
  const tail = commonLength(restOld, restNow, (lines, index) => lines[lines.length - 1 - index])
  const middle = shortestScript(restOld.slice(0, restOld.length - tail), restNow.slice(0, restNow.length - tail))
  return [...same(old.slice(0, head)), ...middle, ...same(restOld.slice(restOld.length - tail))]
}

const same = (lines: readonly string[]): LineChange[] => lines.map((text) => ({ kind: 'same', text }))
const removed = (text: string): LineChange => ({ kind: 'removed', text })
const added = (text: string): LineChange => ({ kind: 'added', text })

const commonLength = (
  one: readonly string[],
  other: readonly string[],
  at: (lines: readonly string[], index: number) => string | undefined,
): number => {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && at(one, length) === at(other, length)) length += 1
  return length
}

/** Extends each diagonal of the edit grid by one edit at a time, and records how far it reached. */
const shortestScript = (old: readonly string[], now: readonly string[]): LineChange[] => {
  const most = Math.min(old.length + now.length, maxEdits)
  const reached = new Map<number, number>([[1, 0]])
  const trail: Map<number, number>[] = []
  for (let edits = 0; edits <= most; edits += 1) {
    trail.push(new Map(reached))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(reached, diagonal, edits)
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1
      reached.set(diagonal, x)
      if (x >= old.length && x - diagonal >= now.length) return walkBack(trail, old, now)
    }
  }
  return [...old.map(removed), ...now.map(added)]
}

const goesDown = (reached: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && farthest(reached, diagonal - 1) < farthest(reached, diagonal + 1))

const startOf = (reached: ReadonlyMap<number, number>, diagonal: number, edits: number): number =>
  goesDown(reached, diagonal, edits) ? farthest(reached, diagonal + 1) : farthest(reached, diagonal - 1) + 1

const farthest = (reached: ReadonlyMap<number, number>, diagonal: number): number => reached.get(diagonal) ?? -1

const walkBack = (
  trail: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  now: readonly string[],
): LineChange[] => {
  const changes: LineChange[] = []
  let x = old.length
  let y = now.length
  for (let edits = trail.length - 1; edits >= 0; edits -= 1) {
    const reached = trail[edits] ?? new Map<number, number>()
    const isDown = goesDown(reached, x - y, edits)
    const fromX = farthest(reached, x - y + (isDown ? 1 : -1))
    const fromY = fromX - (x - y + (isDown ? 1 : -1))
    const keptUntil = edits === 0 ? 0 : Math.max(fromX + (isDown ? 0 : 1), 0)
    while (x > keptUntil && y > 0 && old[x - 1] === now[y - 1]) {
      x -= 1
      y -= 1
      changes.push({ kind: 'same', text: old[x] ?? '' })
    }
    if (edits === 0) break
    changes.push(isDown ? added(now[fromY] ?? '') : removed(old[fromX] ?? ''))
    x = fromX
    y = fromY
  }
  return changes.reverse()
}
