/** The partitions of events and of their decisions: made ahead by a job, and dropped once nothing in them is kept. */
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { listPartitions, makePartitionsAhead, type Partition, type Partitioned } from '#kernel/db/partitions.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { EventBusContext } from './context.ts'
import { hasDeliveriesSinceUnscoped } from './queries/deliveries.ts'
import { readLastSeqUnscoped } from './queries/events.ts'
import { findSeqAtUnscoped, hasUndecidedUnscoped } from './queries/retention.ts'

export const eventPartitions: Partitioned = { table: 'events', key: 'event_id' }
export const deliveryPartitions: Partitioned = { table: 'event_deliveries', key: 'event_id, subscription_id' }

const dayMs = 86_400_000
const smallest = 10_000_000
/** With a day's events in each. */
const count = 3

type Needs = Pick<EventBusContext, 'clock' | 'db'>

export const partitionsJob = ({ clock, db }: Needs): JobDefinition =>
  defineJob({
    name: 'events.partitions',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '*/10 * * * *', data: {} },
    handle: async () => {
      const last = await readLastSeqUnscoped(db)
      const dayAgo = await findSeqAtUnscoped(db, new Date(clock.now().getTime() - dayMs))
      const size = dayAgo === 0 ? smallest : Math.max(smallest, last - dayAgo)
      for (const partitioned of [eventPartitions, deliveryPartitions])
        await makePartitionsAhead(db, partitioned, { last, size, count })
    },
  })

export const countBeyond = async (db: Db): Promise<number> => {
  const last = await readLastSeqUnscoped(db)
  const rest = (await listPartitions(db, eventPartitions.table)).at(-1)
  return Math.max(0, last + 1 - (rest?.from ?? last + 1))
}

/**
 * What retention does with a partition. It waits for one that can be dropped within a day, instead of deleting row after
 * row of it until then.
 */
export type Expiry = 'drop' | 'wait' | 'delete rows'

/** By how much the clocks of two nodes may differ. */
const clockMarginMs = 15 * 60_000

/** Events of which something may still be decided stay, and so does their partition. */
export const expiryOfEvents = async ({ db }: Needs, partition: Partition, before: Date): Promise<Expiry> => {
  const seqAt = (afterMs: number) => findSeqAtUnscoped(db, new Date(before.getTime() + afterMs))
  if (partition.to > (await seqAt(dayMs)) || (await hasUndecidedUnscoped(db, partition))) return 'delete rows'
  return partition.to <= (await seqAt(-clockMarginMs)) ? 'drop' : 'wait'
}

export const expiryOfDeliveries = async ({ db }: Needs, partition: Partition, before: Date): Promise<Expiry> => {
  if (partition.to > (await readLastSeqUnscoped(db)) || (await hasUndecidedUnscoped(db, partition)))
    return 'delete rows'
  const dayLater = new Date(before.getTime() + dayMs)
  if (await hasDeliveriesSinceUnscoped(db, partition.name, dayLater)) return 'delete rows'
  return (await hasDeliveriesSinceUnscoped(db, partition.name, before)) ? 'wait' : 'drop'
}
