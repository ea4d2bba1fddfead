/** Quotas as people see them: every limit, where it comes from, how much of it is used, and its changes. */
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { QuotaNeeds } from './needs.ts'
import type { Overrides, Source } from './overrides.ts'
import { listDebtsUnscoped } from './queries/debts.ts'
import { saveOverrideUnscoped } from './queries/overrides.ts'
import { keyOf, planSubject, type Quota } from './quota.ts'

export interface QuotaUse {
  name: string
  what: string
  kind: Quota['kind']
  windowSec: number | null
  /** 0 is no limit. */
  most: number
  source: Source
  /** Without an override of its own. */
  usual: number
  /** Null where it is counted for each account, or only on each node. */
  used: number | null
}

/** By name; null takes an override away. */
export type QuotaChanges = Readonly<Record<string, number | null>>

export interface QuotaReports {
  list(db: Db, scopeId: string): Promise<QuotaUse[]>
  /** The defaults of all quotas, with what a plan says instead. */
  listOfPlan(plan: string): Omit<QuotaUse, 'used'>[]
  /** Of a scope, or of a plan. Every node has them when the signal arrives. */
  save(
    subject: { scopeId: string } | { plan: string },
    changes: QuotaChanges,
    record: (tx: Db) => Promise<void>,
  ): Promise<void>
}

interface Needs extends Pick<QuotaNeeds, 'clock'> {
  declared: ReadonlyMap<string, Quota>
  overrides: Overrides
}

export const createReports = ({ clock, declared, overrides }: Needs): QuotaReports => {
  const adjustable = (): Quota[] =>
    [...declared.values()].filter((quota) => quota.kind !== 'rate' || quota.isPerMailbox !== 'of everybody')
  const factsOf = (quota: Quota) => ({
    name: quota.name,
    what: quota.what,
    kind: quota.kind,
    windowSec: quota.kind === 'rate' ? quota.windowSec : null,
  })
  const usedOf = async (db: Db, quota: Quota, { scopeId, most }: { scopeId: string; most: number }) => {
    if (quota.kind === 'amount') return quota.count(db, scopeId)
    if (quota.kind === 'at_once' || quota.per === 'account' || quota.isPerMailbox) return null
    if (most === 0) return 0
    const key = keyOf(quota, { scopeId })
    const nowUs = clock.now().getTime() * 1000
    const debtUs = ((await listDebtsUnscoped(db, [key])).get(key) ?? 0) - nowUs
    return Math.max(0, Math.ceil(debtUs / Math.floor((quota.windowSec * 1_000_000) / most)))
  }
  return {
    list: async (db, scopeId) => {
      const uses: QuotaUse[] = []
      for (const quota of adjustable()) {
        const limit = await overrides.limitOf(quota, scopeId)
        const used = await usedOf(db, quota, { scopeId, most: limit.most })
        const usual = limit.source === 'scope' ? await overrides.usualOf(quota, scopeId) : limit.most
        uses.push({ ...factsOf(quota), ...limit, usual, used })
      }
      return uses
    },
    listOfPlan: (plan) => {
      const own = overrides.ofSubject(planSubject(plan))
      return adjustable().map((quota) => {
        const most = own.get(quota.name)
        const source = most === undefined ? 'default' : 'plan'
        return { ...factsOf(quota), most: most ?? quota.most, source, usual: quota.most }
      })
    },
    save: async (given, changes, record) => {
      const subject = 'plan' in given ? planSubject(given.plan) : given.scopeId
      for (const name of Object.keys(changes))
        if (!adjustable().some((quota) => quota.name === name))
          throw new AppError('validation_failed', { problems: [unknown(name)] })
      await overrides.copy.change(async (tx) => {
        const at = clock.now()
        for (const [quota, most] of Object.entries(changes))
          await saveOverrideUnscoped(tx, { quota, subject, most, at })
        await record(tx)
      })
    },
  }
}

const unknown = (name: string) => ({ loc: ['limits', name], msg: 'There is no such quota.', type: 'unknown_quota' })
