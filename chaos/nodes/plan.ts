/**
 * What happens to three nodes. One is frozen for longer than any lease that ends by time, and beside it one thing after the
 * other happens to the others, so that at least one node is well at any moment. Decided by the seed alone. Pure.
 */
import { createRandom } from '../plan.ts'

const kinds = ['kill', 'freeze', 'cut', 'silence', 'restart'] as const

export interface Step {
  /** After the step before has come to its end. */
  pauseMs: number
  /** The one after it, where this one is frozen. */
  node: number
  kind: (typeof kinds)[number]
  forMs: number
}

export interface NodesPlan {
  frozen: { node: number; atMs: number; forMs: number }
  /** One after the other, as many as there is time for. */
  steps: readonly Step[]
}

/** Leases last 15 s (dispatch), 30 s (runs, replies) and 60 s (deliveries, files). Those of seals end with their process. */
const longFreezeMs = 65_000
const mostSteps = 100

/** Each kind once, in any order, and then again. */
const shuffled = <One>(random: () => number, all: readonly One[]): One[] => {
  const left = [...all]
  return all.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}

export const makeNodesPlan = (seed: number, nodes: number): NodesPlan => {
  const random = createRandom(seed)
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low))
  const frozen = { node: between(0, nodes - 1), atMs: between(5000, 15_000), forMs: longFreezeMs }
  const steps: Step[] = []
  while (steps.length < mostSteps)
    for (const kind of shuffled(random, kinds))
      steps.push({ pauseMs: between(2000, 6000), node: between(0, nodes - 1), kind, forMs: between(2000, 9000) })
  return { frozen, steps }
}
