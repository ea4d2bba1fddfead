/** A node that dies at a named failpoint: from then on every failpoint throws, like a process that is gone. */
import type { Failpoints } from '#kernel/failpoints.ts'

export interface Victim extends Failpoints {
  /** Every failpoint reached so far. */
  readonly passed: ReadonlySet<string>
  readonly isDead: boolean
  /** The failpoints at which it threw since it was last revived. */
  readonly thrownAt: readonly string[]
  /** Dies when it reaches this failpoint for the n-th time. */
  dieAt(name: string, time?: number): void
  /** Dies now. */
  die(): void
  /** Works again, as after a restart. */
  revive(): void
}

export const createVictim = (): Victim => {
  const passed = new Set<string>()
  let deadly: { name: string; left: number } | undefined
  let isDead = false
  let thrownAt: string[] = []
  return {
    passed,
    get thrownAt() {
      return thrownAt
    },
    get isDead() {
      return isDead
    },
    dieAt: (name, time = 1) => {
      deadly = { name, left: time }
    },
    die: () => {
      isDead = true
    },
    revive: () => {
      isDead = false
      deadly = undefined
      thrownAt = []
    },
    hit: (name) => {
      passed.add(name)
      if (deadly?.name === name) {
        deadly.left -= 1
        isDead ||= deadly.left === 0
      }
      if (!isDead) return
      thrownAt.push(name)
      throw new Error(`died at: ${name}`)
    },
  }
}
