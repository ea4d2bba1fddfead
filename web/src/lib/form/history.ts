/** Undo history. Consecutive small changes of the same kind are merged into one step. */

export interface History<Value> {
  past: readonly Value[]
  present: Value
  future: readonly Value[]
  /** Kind and time of the last step, for merging. */
  last?: { kind: string; at: number } | undefined
}

export interface Step {
  /** Changes of the same kind, such as typing in one field, are merged. A change without a kind is its own step. */
  kind?: string | undefined
  at: number
}

const mergeMs = 1500
const longest = 200

export const beginHistory = <Value>(present: Value): History<Value> => ({ past: [], present, future: [] })

export function record<Value>(history: History<Value>, next: Value, { kind, at }: Step): History<Value> {
  if (next === history.present) return history
  const { last } = history
  const merges = kind !== undefined && last?.kind === kind && at - last.at < mergeMs
  const past = merges ? history.past : [...history.past, history.present].slice(-longest)
  return { past, present: next, future: [], last: kind === undefined ? undefined : { kind, at } }
}

export function undo<Value>(history: History<Value>): History<Value> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future] }
}

export function redo<Value>(history: History<Value>): History<Value> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future }
}
