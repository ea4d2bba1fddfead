/** What a test does at a named failpoint. */
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

/** A node that dies: from then on every failpoint throws, like a process that is gone. */
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

/** Code that reaches the failpoint waits there until it is released. */
export const createGate = () => {
  let gate: { point: string; opened: Promise<void>; open(): void; isReached: boolean } | undefined
  return {
    hit: (point: string): void | Promise<void> => {
      if (point !== gate?.point) return
      gate.isReached = true
      return gate.opened
    },
    holdAt: (point: string): void => {
      const { promise: opened, resolve: open } = Promise.withResolvers<void>()
      gate = { point, opened, open, isReached: false }
    },
    isReached: (): boolean => gate?.isReached === true,
    letGo: (): void => {
      gate?.open()
      gate = undefined
    },
  }
}
