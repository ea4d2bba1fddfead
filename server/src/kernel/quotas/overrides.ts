/** What the platform admin has set, in the memory of every node: a limit costs no query. */
import type { Db } from '../db/database.ts'
import { andThen, type MaybeAsync } from '../maybe-async.ts'
import { createSharedCopy, type SharedCopy } from '../shared-copy.ts'
import type { QuotaNeeds } from './needs.ts'
import { listOverridesUnscoped } from './queries/overrides.ts'
import { planSubject, type Quota } from './quota.ts'

export type Source = 'default' | 'plan' | 'scope'

export interface Limit {
  most: number
  source: Source
}

/** The plan of a scope; undefined for people without an organization. */
export type FindPlan = (db: Db, scopeId: string) => Promise<string | undefined>

export interface Overrides {
  copy: SharedCopy
  limitOf(quota: Pick<Quota, 'name' | 'most'>, scopeId: string): MaybeAsync<Limit>
  /** As if the scope had no override of its own. */
  usualOf(quota: Pick<Quota, 'name' | 'most'>, scopeId: string): MaybeAsync<number>
  ofSubject(subject: string): ReadonlyMap<string, number>
  registerPlans(find: FindPlan): void
  forgetPlans(): void
}

type Needs = Pick<QuotaNeeds, 'checks' | 'clock' | 'db' | 'signals' | 'tasks'>

const planLifeMs = 60_000
const plansKept = 10_000

export const createOverrides = async (kernel: Needs): Promise<Overrides> => {
  const { db, clock } = kernel
  let bySubject = new Map<string, Map<string, number>>()
  let plannedQuotas = new Set<string>()
  const plans = new Map<string, { plan: string | undefined; untilMs: number }>()
  let findPlan: FindPlan = async () => undefined

  const load = async (): Promise<void> => {
    const rows = await listOverridesUnscoped(db)
    const grouped = Map.groupBy(rows, ({ subject }) => subject)
    bySubject = new Map([...grouped].map(([subject, own]) => [subject, new Map(own.map((o) => [o.quota, o.most]))]))
    plannedQuotas = new Set(rows.flatMap(({ subject, quota }) => (subject.startsWith(planSubject('')) ? [quota] : [])))
  }
  const learnPlan = async (scopeId: string, nowMs: number): Promise<string | undefined> => {
    const plan = await findPlan(db, scopeId)
    if (plans.size >= plansKept) plans.clear()
    plans.set(scopeId, { plan, untilMs: nowMs + planLifeMs })
    return plan
  }
  const planOf = (scopeId: string): MaybeAsync<string | undefined> => {
    const nowMs = clock.now().getTime()
    const known = plans.get(scopeId)
    return known && known.untilMs > nowMs ? known.plan : learnPlan(scopeId, nowMs)
  }

  const plannedLimit = ({ name, most }: Pick<Quota, 'name' | 'most'>, scopeId: string): MaybeAsync<Limit> => {
    if (!plannedQuotas.has(name)) return { most, source: 'default' }
    return andThen(planOf(scopeId), (plan): Limit => {
      const planned = plan === undefined ? undefined : bySubject.get(planSubject(plan))?.get(name)
      return planned === undefined ? { most, source: 'default' } : { most: planned, source: 'plan' }
    })
  }

  const copy = await createSharedCopy({ kernel, topic: 'quotas', load })
  return {
    copy,
    limitOf: (quota, scopeId) => {
      const own = bySubject.get(scopeId)?.get(quota.name)
      return own === undefined ? plannedLimit(quota, scopeId) : { most: own, source: 'scope' }
    },
    usualOf: (quota, scopeId) => andThen(plannedLimit(quota, scopeId), ({ most }) => most),
    ofSubject: (subject) => bySubject.get(subject) ?? new Map(),
    registerPlans: (find) => {
      findPlan = find
    },
    forgetPlans: () => plans.clear(),
  }
}
