/**
 * Amounts that end by themselves, such as work under way: counted at most once a second for each tenant, in the
 * background, so that asking costs neither a query nor a wait. Between two counts what begins here is added.
 */
import type { QuotaNeeds } from './needs.ts'
import type { Overrides } from './overrides.ts'
import { type AmountQuota, keyOf, type QuotaSubject } from './quota.ts'
import type { Refusals } from './refusals.ts'

interface Estimate {
  count: number
  freshUntilMs: number
  isCounting: boolean
}

const freshMs = 1000
const kept = 10_000

interface Needs extends Pick<QuotaNeeds, 'clock' | 'db' | 'tasks'> {
  overrides: Overrides
  refusals: Refusals
}

export const createEstimates = ({ clock, db, tasks, overrides, refusals }: Needs) => {
  const estimates = new Map<string, Estimate>()

  const estimateOf = (quota: AmountQuota, key: string, { scopeId }: QuotaSubject): Estimate => {
    const nowMs = clock.now().getTime()
    const estimate = estimates.get(key) ?? { count: 0, freshUntilMs: 0, isCounting: false }
    const [oldest] = estimates.size >= kept ? estimates.keys() : []
    if (oldest !== undefined) estimates.delete(oldest)
    estimates.set(key, estimate)
    if (estimate.freshUntilMs > nowMs || estimate.isCounting) return estimate
    estimate.isCounting = true
    tasks.run('quotas.count', async () => {
      try {
        estimate.count = await quota.count(db, scopeId)
        estimate.freshUntilMs = clock.now().getTime() + freshMs
      } finally {
        estimate.isCounting = false
      }
    })
    return estimate
  }
  return {
    requireAbout: (quota: AmountQuota, subject: QuotaSubject): void => {
      const key = keyOf(quota, subject)
      const known = overrides.limitOf(quota, subject.scopeId)
      const { most } = known instanceof Promise ? quota : known
      if (most === 0) return
      const estimate = estimateOf(quota, key, subject)
      if (estimate.count >= most) throw refusals.of(quota, key, { most })
      estimate.count += 1
    },
  }
}
