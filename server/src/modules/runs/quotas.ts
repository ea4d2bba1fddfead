/** How many runs one tenant may start, and have under way. Those that a run starts are bounded by their run. */
import type { Actor } from '#kernel/http/actor.ts'
import { subjectOf } from '#kernel/http/quota-subject.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { AmountQuota, RateQuota } from '#kernel/quotas/index.ts'
import { countActiveRunsUnscoped } from './queries/activity.ts'

export const runsQuota: RateQuota = {
  kind: 'rate',
  name: 'runs',
  what: 'runs started',
  most: 1_000_000,
  unprovenMost: 5000,
  per: 'scope',
  windowSec: 3600,
}

export const runsAtOnceQuota: AmountQuota = {
  kind: 'amount',
  name: 'runs_at_once',
  what: 'runs under way at once',
  most: 20_000,
  per: 'scope',
  count: countActiveRunsUnscoped,
  isPassing: true,
}

/** Before somebody starts a run by hand. */
export const takeRun = async ({ quotas }: Pick<Kernel, 'quotas'>, actor: Actor): Promise<void> => {
  quotas.requireAbout(runsAtOnceQuota, subjectOf(actor))
  await quotas.take(runsQuota, subjectOf(actor))
}

/** Inside a transaction: never waits, so it takes no second connection. */
export const takeRunsNow = ({ quotas }: Pick<Kernel, 'quotas'>, scopeId: string, count = 1): void => {
  quotas.requireAbout(runsAtOnceQuota, { scopeId })
  const refusal = quotas.takeNow(runsQuota, scopeId, count)
  if (refusal) throw refusal
}

/** For a trigger that fires: why no run is started. A burst of events waits in the queue, so how many wait is no reason. */
export const refusalOfRun = ({ quotas }: Pick<Kernel, 'quotas'>, scopeId: string): string | undefined =>
  quotas.takeNow(runsQuota, scopeId)?.message
