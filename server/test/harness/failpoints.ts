/** A node that dies at a named place: from then on every place fails, as nothing more comes from a dead process. */
import type { Failpoints } from '#kernel/failpoints.ts'

export interface Victim extends Failpoints {
  /** Every place that was passed so far. */
  readonly passed: ReadonlySet<string>
  readonly isDead: boolean
  /** Dies when it comes to this place for the so-manyth time. */
  dieAt(place: string, time?: number): void
  /** Dies now. */
  die(): void
  /** As after a restart. */
  revive(): void
}

export const createVictim = (): Victim => {
  const passed = new Set<string>()
  let deadly: { place: string; left: number } | undefined
  let isDead = false
  return {
    passed,
    get isDead() {
      return isDead
    },
    dieAt: (place, time = 1) => {
      deadly = { place, left: time }
    },
    die: () => {
      isDead = true
    },
    revive: () => {
      isDead = false
      deadly = undefined
    },
    hit: (place) => {
      passed.add(place)
      if (deadly?.place === place) {
        deadly.left -= 1
        isDead ||= deadly.left === 0
      }
      if (isDead) throw new Error(`died at: ${place}`)
    },
  }
}
