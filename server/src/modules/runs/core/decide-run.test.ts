/** The next step of a run, whatever the situation. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideRun, nearMs, type Situation } from './decide-run.ts'

const quiet: Situation = {
  hasFailed: false,
  activeCalls: 0,
  parkedSteps: 0,
  dueInMs: null,
  pendingSignals: 0,
  newWaits: 0,
  isDraining: false,
  hasDeferred: false,
}

const anySituation: fc.Arbitrary<Situation> = fc
  .record({
    hasFailed: fc.boolean(),
    activeCalls: fc.nat(3),
    parkedSteps: fc.nat(3),
    dueInMs: fc.option(fc.integer({ min: -10_000, max: 100_000 })),
    pendingSignals: fc.nat(3),
    newWaits: fc.nat(3),
    isDraining: fc.boolean(),
    hasDeferred: fc.boolean(),
  })
  // Nodes are deferred by a stopping server only, and what is due or registers a wait is parked.
  .map((some) => ({
    ...some,
    hasDeferred: some.hasDeferred && some.isDraining,
    dueInMs: some.parkedSteps > 0 ? some.dueInMs : null,
    newWaits: Math.min(some.newWaits, some.parkedSteps),
  }))

const always = (name: string, holds: (situation: Situation) => boolean) =>
  it(name, () => fc.assert(fc.property(anySituation, holds), { numRuns: 500 }))

describe('a run, whatever the situation,', () => {
  always('fails exactly when a node failed it', (some) => (decideRun(some) === 'fail') === some.hasFailed)

  always(
    'is neither ended as succeeded nor given away while a call is under way',
    (some) => some.activeCalls === 0 || ['continue', 'fail'].includes(decideRun(some)),
  )

  always(
    'succeeds only when nothing is parked or deferred',
    (some) => decideRun(some) !== 'succeed' || (some.parkedSteps === 0 && !some.hasDeferred),
  )

  always(
    'is parked only when something is parked in it, no signal is pending and nothing is due soon',
    (some) =>
      decideRun(some) !== 'park' ||
      (some.parkedSteps > 0 && some.pendingSignals === 0 && (some.dueInMs === null || some.dueInMs >= nearMs)),
  )

  always(
    'is not parked in the change that registers a wait, since its event may have arrived just before',
    (some) => decideRun(some) !== 'park' || some.newWaits === 0,
  )

  always(
    'is never parked by a server that is stopping',
    (some) => !some.isDraining || !['park', 'recheck'].includes(decideRun(some)),
  )

  always('is released by a server that is stopping only', (some) => decideRun(some) !== 'release' || some.isDraining)

  always(
    'makes progress: it waits in memory only for a call, a signal or a time that comes soon',
    (some) =>
      decideRun(some) !== 'continue' ||
      some.activeCalls > 0 ||
      some.pendingSignals > 0 ||
      (some.dueInMs !== null && some.dueInMs < nearMs),
  )
})

it('with nothing left to do has succeeded', () => expect(decideRun(quiet)).toBe('succeed'))
