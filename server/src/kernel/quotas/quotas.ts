/**
 * What one tenant may take of what all share: rates, amounts, and how many at once. Modules declare their quotas and ask
 * here; nothing else in the server decides such a limit.
 */
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import type { AppError } from '../errors.ts'
import { defineJob, type JobDefinition } from '../jobs/jobs.ts'
import { type Charge, chargeAll, scheduleAll } from './charges.ts'
import { createEntries } from './entries.ts'
import { createEstimates } from './estimates.ts'
import { createLeases } from './leases.ts'
import type { QuotaNeeds } from './needs.ts'
import { createOverrides, type FindPlan } from './overrides.ts'
import { deletePaidDebtsUnscoped } from './queries/debts.ts'
import { lockAmountUnscoped } from './queries/overrides.ts'
import { type AmountQuota, type AtOnceQuota, keyOf, type Quota, type QuotaSubject, type RateQuota } from './quota.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { createReports, type QuotaReports } from './reports.ts'

/** So many of a rate for a key of the caller's making; without one, for its subject. */
export interface Taking {
  quota: RateQuota
  subject: QuotaSubject
  /** What is counted besides the tenant: a mailbox. */
  of?: string
  times?: number
}

export interface Quotas extends QuotaReports {
  /** Who was refused of late, on this node. */
  refused: Refusals['recent']
  /** Once for each quota, when its module is made. */
  declare<One extends Quota>(quota: One): One
  /** Counts over all nodes, mostly without a query. Throws `quota_exceeded`. */
  take(quota: RateQuota, subject: QuotaSubject, times?: number): Promise<void>
  /** The same for work of a scope that can't wait, such as a dispatch: the refusal, if it is one. */
  takeNow(quota: RateQuota, scopeId: string, times?: number): AppError | undefined
  /**
   * Counts in the caller's transaction, exactly: all or none. Throws the refusal, unless what is over its limit is
   * spared: then that isn't counted.
   */
  charge<One extends Taking>(
    tx: Db,
    takings: readonly One[],
    isSpared?: (taking: One) => Promise<boolean>,
  ): Promise<void>
  /** For what can't be refused: the milliseconds it has to wait, undefined where that is longer than `maxWaitMs`. */
  schedule(tx: Db, takings: readonly Taking[], maxWaitMs: number): Promise<number | undefined>
  /** Before `adding` are inserted, in the same transaction. Throws `quota_reached`. */
  requireRoom(tx: Db, quota: AmountQuota, subject: QuotaSubject, adding?: number): Promise<void>
  /** Of what ends by itself: counted now and then, without waiting. Throws `quota_exceeded`. */
  requireAbout(quota: AmountQuota, subject: QuotaSubject): void
  /** Throws `quota_exceeded` when too many are under way, else counts one until the returned function is called. */
  enter(quota: AtOnceQuota, subject: QuotaSubject): () => void
  /** For who counts by themselves; 0 is no limit. */
  mostOf(quota: AtOnceQuota, subject: QuotaSubject): number
  registerPlans(find: FindPlan): void
  /** A plan was changed. */
  forgetPlans(): void
  readonly jobs: readonly JobDefinition[]
  start(signal: AbortSignal): void
}

type Counted<One extends Taking> = Charge & { taking: One; isUnproven: boolean }

const unprovenKey = ({ name }: RateQuota, account: { id: string }): string => `${name} unproven ${account.id}`

export const createQuotas = async (kernel: QuotaNeeds): Promise<Quotas> => {
  const { clock } = kernel
  const declared = new Map<string, Quota>()
  const overrides = await createOverrides(kernel)
  const leases = createLeases(kernel)
  const refusals = createRefusals(kernel)
  const nowUs = (): number => clock.now().getTime() * 1000

  const takeOne = async (
    quota: RateQuota,
    key: string,
    { most, times, isUnproven = false }: { most: number; times: number; isUnproven?: boolean },
  ): Promise<void> => {
    if (most === 0) return
    const retryAfterSec = await leases.take(key, { max: most, windowSec: quota.windowSec }, times)
    if (retryAfterSec !== undefined) throw refusals.of(quota, key, { most, isUnproven, retryAfterSec })
  }
  const chargesOf = async <One extends Taking>(taking: One): Promise<Counted<One>[]> => {
    const { quota, subject, of, times = 1 } = taking
    const { most } = await overrides.limitOf(quota, subject.scopeId)
    const { windowSec, unprovenMost } = quota
    const suffix = of === undefined ? '' : ` ${of}`
    const one = {
      taking,
      times,
      isUnproven: false,
      key: keyOf(quota, subject) + suffix,
      rate: { max: most, windowSec },
    }
    if (unprovenMost === undefined || most === 0 || !subject.account || subject.account.isProven) return [one]
    const key = unprovenKey(quota, subject.account) + suffix
    return [
      one,
      { taking, times, isUnproven: unprovenMost < most, key, rate: { max: Math.min(most, unprovenMost), windowSec } },
    ]
  }
  const allCharges = async <One extends Taking>(takings: readonly One[]): Promise<Counted<One>[]> =>
    (await Promise.all(takings.map((taking) => chargesOf(taking)))).flat()

  return {
    ...createReports({ ...kernel, declared, overrides }),
    ...createEntries({ overrides, refusals }),
    ...createEstimates({ ...kernel, overrides, refusals }),
    refused: refusals.recent,
    declare: (quota) => {
      if (declared.has(quota.name)) throw new Error(`Two quotas are called ${quota.name}.`)
      declared.set(quota.name, quota)
      return quota
    },
    take: async (quota, subject, times = 1) => {
      const { account } = subject
      const { most } = await overrides.limitOf(quota, subject.scopeId)
      if (quota.unprovenMost !== undefined && most !== 0 && account && !account.isProven)
        await takeOne(quota, unprovenKey(quota, account), {
          most: Math.min(most, quota.unprovenMost),
          times,
          isUnproven: quota.unprovenMost < most,
        })
      await takeOne(quota, keyOf(quota, subject), { most, times })
    },
    takeNow: (quota, scopeId, times = 1) => {
      const known = overrides.limitOf(quota, scopeId)
      const { most } = known instanceof Promise ? quota : known
      const key = keyOf(quota, { scopeId })
      const retryAfterSec =
        most === 0 ? undefined : leases.takeNow(key, { max: most, windowSec: quota.windowSec }, times)
      return retryAfterSec === undefined ? undefined : refusals.of(quota, key, { most, retryAfterSec })
    },
    charge: async (tx, takings, isSpared = async () => false) => {
      const charges = await allCharges(takings)
      const refused = await chargeAll(tx, nowUs(), { charges, isSpared: ({ taking }) => isSpared(taking) })
      if (!refused) return
      const { taking, key, rate, isUnproven } = refused.charge
      throw refusals.of(taking.quota, key, { most: rate.max, isUnproven, retryAfterSec: refused.retryAfterSec })
    },
    schedule: async (tx, takings, maxWaitMs) => {
      const charges = await allCharges(takings)
      const waitMs = await scheduleAll(tx, nowUs(), { charges, maxWaitMs })
      if (waitMs !== 0) for (const { taking, key } of charges.slice(0, 1)) refusals.note(taking.quota, key)
      return waitMs
    },
    requireRoom: async (tx, quota, subject, adding = 1) => {
      const { most } = await overrides.limitOf(quota, subject.scopeId)
      if (most === 0) return
      const key = keyOf(quota, subject)
      await lockAmountUnscoped(tx, key)
      if ((await quota.count(tx, subject.scopeId)) + adding > most) throw refusals.of(quota, key, { most })
    },
    registerPlans: overrides.registerPlans,
    forgetPlans: overrides.forgetPlans,
    jobs: [cleanUpJob(kernel)],
    start: overrides.copy.start,
  }
}

const cleanUpJob = ({ clock, db }: QuotaNeeds): JobDefinition =>
  defineJob({
    name: 'quotas.clean-up',
    data: z.object({}),
    policy: 'exclusive',
    timetable: { cron: '*/10 * * * *', data: {} },
    handle: () => deletePaidDebtsUnscoped(db, clock.now().getTime() * 1000),
  })
