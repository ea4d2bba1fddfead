/** The module's state in memory: limits, token counters, and usage that is not written yet. */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Ids } from '#kernel/ids.ts'
import { createConcurrencyLimit } from '#kernel/turns/concurrency-limit.ts'
import { dayOf } from './calendar.ts'
import { createLimitIndex, type LimitIndex } from './limit-index.ts'
import { createPendingUsage, type PendingUsage } from './pending-usage.ts'
import { listLimitsUnscoped } from './queries/limits.ts'
import { addUsageUnscoped } from './queries/usage-days.ts'
import { createReservations, type Reservations } from './reservations.ts'
import { createSharedReservations, type SharedReservations } from './shared-reservations.ts'
import { type Account, createTokenCounters, type TokenCounters } from './token-counters.ts'

export interface UsageState {
  pending: PendingUsage
  limits: LimitIndex
  counters: TokenCounters
  reservations: Reservations
  /** Undefined where this process is the database's only user. */
  shared: Pick<SharedReservations, 'hold' | 'renew'> | undefined
  today(): string
  /** Writes pending usage; what fails to be written stays pending. */
  flush(): Promise<void>
  loadCounters(accounts: readonly Account[], day: string): Promise<void>
  /** Reads the counters again. Only from within `shared.hold`. */
  reloadCounters(tx: Db, accounts: readonly Account[]): Promise<void>
  refreshCounters(): Promise<void>
  loadLimits(): Promise<void>
}

/** Rows per statement. */
const batchSize = 2000

interface Options {
  db: Db
  clock: Clock
  ids: Ids
  /** Other nodes may use the same database. */
  hasOtherNodes: boolean
}

export const createUsageState = ({ db, clock, ids, hasOtherNodes }: Options): UsageState => {
  const pending = createPendingUsage()
  const limits = createLimitIndex()
  const counters = createTokenCounters(db)
  // One at a time: a sum that is read while the same usage is being written would miss it or count it twice.
  const oneAtATime = createConcurrencyLimit(1)
  const shared = hasOtherNodes ? createSharedReservations({ db, ids }) : undefined
  const today = (): string => dayOf(clock.now())

  const write = async (): Promise<void> => {
    const entries = pending.take()
    let written = 0
    try {
      for (; written < entries.length; written += batchSize)
        await addUsageUnscoped(db, entries.slice(written, written + batchSize))
    } finally {
      pending.putBack(entries.slice(written))
    }
  }
  return {
    pending,
    limits,
    counters,
    reservations: createReservations(),
    shared: shared && {
      // Counters are read again for it, which must not happen while usage is being written.
      hold: (accounts, decide) => oneAtATime(() => shared.hold(accounts, decide)),
      renew: shared.renew,
    },
    today,
    flush: () => oneAtATime(() => (shared ? shared.settle(write) : write())),
    loadCounters: (accounts, day) =>
      oneAtATime(async () => {
        // When many calls wait for the same counter, the first one loads it.
        const unknown = accounts.filter((account) => !counters.find(account, day))
        if (unknown.length > 0) await counters.load(db, { accounts: unknown, day, unwritten: pending.entries })
      }),
    reloadCounters: (tx, accounts) => counters.load(tx, { accounts, day: today(), unwritten: pending.entries }),
    refreshCounters: () => oneAtATime(() => counters.refresh(today(), pending.entries)),
    loadLimits: async () => limits.replace(await listLimitsUnscoped(db)),
  }
}
