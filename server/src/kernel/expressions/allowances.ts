/**
 * How long the expressions of each owner may take together, in memory that the evaluating thread charges: the time that
 * each really took. What comes when nothing is left isn't evaluated.
 */

export interface Allowances {
  readonly memory: SharedArrayBuffer
  /** Below zero when the last expression took longer than was left. */
  leftMs(owner: number): number
}

/** The first is that of all of them together, and belongs to nobody. */
export const total = 0

export const createAllowances = (totalMs: number, ownersMs: readonly number[]): Allowances => {
  const memory = new SharedArrayBuffer((ownersMs.length + 1) * Float64Array.BYTES_PER_ELEMENT)
  const left = openAllowances(memory)
  left.set([totalMs, ...ownersMs])
  return { memory, leftMs: (owner) => left[owner] ?? 0 }
}

export const openAllowances = (memory: SharedArrayBuffer): Float64Array => new Float64Array(memory)

export const mayGoOn = (left: Float64Array, owner: number): boolean => (left[total] ?? 0) > 0 && (left[owner] ?? 0) > 0

export const charge = (left: Float64Array, owner: number, ms: number): void => {
  left[total] = (left[total] ?? 0) - ms
  left[owner] = (left[owner] ?? 0) - ms
}
