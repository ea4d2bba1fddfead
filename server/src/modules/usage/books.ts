/** The memory of this module: limits, counters, and what is still to be written. One piece of SQL work at a time. */
import type { Clock } from '#kernel/clock.ts'
import { createConcurrencyLimit } from '#kernel/concurrency-limit.ts'
import type { Db } from '#kernel/db/database.ts'
import { dayOf } from './calendar.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createLimitBook, type LimitBook } from './limit-book.ts'
import { listLimitsUnscoped } from './queries/limits.ts'
import { addUse } from './queries/usage-days.ts'
import { type Account, createTally, type Tally } from './tally.ts'

export interface Books {
  ledger: Ledger
  limits: LimitBook
  tally: Tally
  today(): string
  /** Writes what was used; what fails to be written is kept for the next time. */
  flush(): Promise<void>
  loadCounters(accounts: readonly Account[], day: string): Promise<void>
  refreshCounters(): Promise<void>
  refreshLimits(): Promise<void>
}

/** Rows per statement. */
const batch = 2000

export const createBooks = ({ db, clock }: { db: Db; clock: Clock }): Books => {
  const ledger = createLedger()
  const limits = createLimitBook()
  const tally = createTally(db)
  // In turn: a sum that is read while the same use is being written would miss it or count it twice.
  const countingInTurn = createConcurrencyLimit(1)
  const limitsInTurn = createConcurrencyLimit(1)
  const today = (): string => dayOf(clock.now())

  const write = async (): Promise<void> => {
    const entries = ledger.take()
    let written = 0
    try {
      for (; written < entries.length; written += batch) await addUse(db, entries.slice(written, written + batch))
    } finally {
      ledger.putBack(entries.slice(written))
    }
  }
  return {
    ...{ ledger, limits, tally, today },
    flush: () => countingInTurn(write),
    loadCounters: (accounts, day) =>
      countingInTurn(async () => {
        // Of many who ask at once, the first has loaded it for the others.
        const unknown = accounts.filter((account) => !tally.find(account, day))
        if (unknown.length > 0) await tally.load(unknown, day, ledger.entries)
      }),
    refreshCounters: () => countingInTurn(() => tally.refresh(today(), ledger.entries)),
    refreshLimits: () => limitsInTurn(async () => limits.takeOver(await listLimitsUnscoped(db))),
  }
}
