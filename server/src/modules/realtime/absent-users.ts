/** Users that no other node has sockets for, as far as is known. Saves encoding and publishing events for nobody. */

export interface AbsentUsers {
  has(userId: string): boolean
  /** Call before publishing. The returned function marks the user absent, unless a node announced somebody meanwhile. */
  begin(userId: string): () => void
  /** Another node announced a socket of this user, or of `allUsers` when it does not say whose. */
  forget(userId: string): void
}

export const allUsers = '*'

/** Bounds how long a lost announcement goes unnoticed. */
const lifeMs = 5000
const capacity = 50_000

export const createAbsentUsers = (): AbsentUsers => {
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
      if (userId === allUsers) until.clear()
      else until.delete(userId)
    },
  }
}
