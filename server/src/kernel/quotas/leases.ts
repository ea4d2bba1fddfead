/**
 * Rates that hold over all nodes without a query for each call: a node takes a hundredth of the allowance from the
 * database, and grants that from its memory. A refusal is remembered until it ends, so that hammering costs nothing
 * either. What a node has not granted when it stops is lost, so never more is granted than allowed.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Rate } from '../limits/gcra.ts'
import type { Tasks } from '../tasks.ts'
import { takeShareUnscoped } from './queries/debts.ts'

interface Lease {
  max: number
  left: number
  untilUs: number
  /** Less than this can't be had before `refusedUntilUs`. */
  refusedUntilUs: number
  filling: Promise<void> | undefined
}

export interface Leases {
  /** The seconds to wait; undefined when it was granted. */
  take(key: string, rate: Rate, wanted: number): Promise<number | undefined>
  /** The same without waiting: the database is told afterwards, and what it can't grant is owed before the next. */
  takeNow(key: string, rate: Rate, wanted: number): number | undefined
}

const sharesOfAllowance = 100

interface Needs {
  db: Db
  clock: Clock
  tasks: Pick<Tasks, 'run'>
}

export const createLeases = ({ db, clock, tasks }: Needs, capacity = 50_000): Leases => {
  const leases = new Map<string, Lease>()

  const leaseOf = (key: string, { max }: Rate, nowUs: number): Lease => {
    const known = leases.get(key)
    // Its limit was changed: what it was refused before says nothing now.
    const isUsable = known?.max === max
    const lease = isUsable ? known : { max, left: 0, untilUs: 0, refusedUntilUs: 0, filling: undefined }
    if (lease.untilUs <= nowUs) lease.left = Math.min(lease.left, 0)
    // Re-inserted, so that the first key is the longest unused.
    leases.delete(key)
    const [oldest] = leases.size >= capacity ? leases.keys() : []
    if (oldest !== undefined) leases.delete(oldest)
    leases.set(key, lease)
    return lease
  }
  const fill = async (key: string, lease: Lease, { rate, wanted }: { rate: Rate; wanted: number }): Promise<void> => {
    const nowUs = clock.now().getTime() * 1000
    const missing = wanted - lease.left
    const share = Math.min(Math.max(missing, Math.floor(rate.max / sharesOfAllowance)), rate.max)
    const { granted, paidOffAtUs } = await takeShareUnscoped(db, key, { rate, wanted: share, nowUs })
    const windowUs = rate.windowSec * 1_000_000
    lease.left += granted
    lease.untilUs = nowUs + windowUs
    if (granted >= missing) return
    const costUs = Math.floor(windowUs / rate.max)
    lease.refusedUntilUs = Math.max(paidOffAtUs - windowUs + costUs * (missing - granted), nowUs + 1)
  }

  const refill = (key: string, lease: Lease, request: { rate: Rate; wanted: number }): Promise<void> => {
    lease.filling ??= fill(key, lease, request).finally(() => {
      lease.filling = undefined
    })
    return lease.filling
  }

  return {
    takeNow: (key, rate, wanted) => {
      const nowUs = clock.now().getTime() * 1000
      const lease = leaseOf(key, rate, nowUs)
      if (lease.left < wanted && lease.refusedUntilUs > nowUs)
        return Math.ceil((lease.refusedUntilUs - nowUs) / 1_000_000)
      lease.left -= wanted
      if (lease.left < 0) tasks.run('quotas.refill', () => refill(key, lease, { rate, wanted: 0 }))
      return undefined
    },
    take: async (key, rate, wanted) => {
      for (;;) {
        const nowUs = clock.now().getTime() * 1000
        const lease = leaseOf(key, rate, nowUs)
        if (lease.left >= wanted) {
          lease.left -= wanted
          return undefined
        }
        if (wanted > rate.max) return rate.windowSec
        if (lease.refusedUntilUs > nowUs) return Math.ceil((lease.refusedUntilUs - nowUs) / 1_000_000)
        await refill(key, lease, { rate, wanted })
      }
    },
  }
}
