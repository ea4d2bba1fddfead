/** Which users no other node serves, as far as is known. Saves making and sending what nobody would hear. */

export interface Absences {
  has(userId: string): boolean
  /** Before sending; the answer notes that nobody heard it, unless somebody has arrived in between. */
  begin(userId: string): () => void
  /** Somebody has come; `everybody` when it is not known who. */
  forget(userId: string): void
}

export const everybody = '*'

/** Should an arrival not be heard of, this bounds how long it goes unnoticed. */
const lifeMs = 5000
const capacity = 50_000

export const createAbsences = (): Absences => {
  const until = new Map<string, number>()
  let arrivals = 0
  return {
    has: (userId) => (until.get(userId) ?? 0) > performance.now(),
    begin: (userId) => {
      const before = arrivals
      return () => {
        if (arrivals !== before) return
        if (until.size >= capacity) until.clear()
        until.set(userId, performance.now() + lifeMs)
      }
    },
    forget: (userId) => {
      arrivals += 1
      if (userId === everybody) until.clear()
      else until.delete(userId)
    },
  }
}
