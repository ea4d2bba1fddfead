/** The retention of events and decisions, and the job that drops partitions of older ones and deletes others in batches. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { dropPartition, listPartitions, type Partition, type Partitioned } from '#kernel/db/partitions.ts'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import { declareRetention, type Retention, type Settings } from '#modules/settings/index.ts'
import type { EventBusContext } from './context.ts'
import { deliveryPartitions, type Expiry, eventPartitions, expiryOfDeliveries, expiryOfEvents } from './partitions.ts'
import { deleteDeliveriesBeforeUnscoped, markDeliveriesDeletedUnscoped } from './queries/deliveries.ts'
import { deleteEventsBeforeUnscoped, deleteKeysBeforeUnscoped } from './queries/retention.ts'
import { deleteSubscriptionLogUnscoped } from './queries/subscriptions.ts'

const batchSize = 1000

export const declareEventRetention = (settings: Pick<Settings, 'register'>) => ({
  events: declareRetention(settings, { what: 'events', howLong: 30, setting: 'events.retention_days' }),
  deliveries: declareRetention(settings, {
    what: 'decisions of triggers about events',
    howLong: 30,
    setting: 'events.delivery_retention_days',
  }),
})

/** Returns how many were deleted. */
type DeleteSome = (tx: Db, limit: number) => Promise<number>

interface Expiring extends Partitioned {
  expiryOf(partition: Partition): Promise<Expiry>
  deleteIn(partition: Partition): DeleteSome
}

export const retentionJob = (
  context: Pick<EventBusContext, 'clock' | 'db' | 'failpoints'>,
  { events, deliveries }: Record<'events' | 'deliveries', Pick<Retention, 'before'>>,
): JobDefinition<Record<string, never>> => {
  const { clock, db, failpoints } = context
  /** In short transactions, with the setting that the trigger on `events` requires for a delete. */
  const deleteAll = (deleteSome: DeleteSome, signal: AbortSignal): Promise<void> =>
    inBatches(signal, () =>
      db.transaction().execute(async (tx) => {
        await sql`set local chancery.retention = 'on'`.execute(tx)
        await failpoints.hit('retention: allowed')
        const deleted = await deleteSome(tx, batchSize)
        await failpoints.hit('retention: deleted')
        return deleted === batchSize
      }),
    )
  const expire = async ({ expiryOf, deleteIn, ...partitioned }: Expiring, signal: AbortSignal): Promise<void> => {
    for (const partition of await listPartitions(db, partitioned.table)) {
      if (signal.aborted) return
      const expiry = await expiryOf(partition)
      if (expiry === 'drop') await dropPartition(db, partitioned, partition)
      if (expiry === 'delete rows') await deleteAll(deleteIn(partition), signal)
    }
  }
  return defineJob({
    name: 'events.retention',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '41 * * * *', data: {} },
    handle: async (_data, { signal }) => {
      const now = clock.now()
      await deleteAll((tx, limit) => deleteKeysBeforeUnscoped(tx, now, limit), signal)
      await deleteSubscriptionLogUnscoped(db)
      const decidedBefore = deliveries.before(now)
      if (decidedBefore) {
        await markDeliveriesDeletedUnscoped(db, decidedBefore)
        const expiring: Expiring = {
          ...deliveryPartitions,
          expiryOf: (partition) => expiryOfDeliveries(context, partition, decidedBefore),
          deleteIn:
            ({ name }) =>
            (tx, limit) =>
              deleteDeliveriesBeforeUnscoped(tx, { partition: name, before: decidedBefore, limit }),
        }
        await expire(expiring, signal)
      }
      const publishedBefore = events.before(now)
      if (publishedBefore) {
        const expiring: Expiring = {
          ...eventPartitions,
          expiryOf: (partition) => expiryOfEvents(context, partition, publishedBefore),
          deleteIn: (partition) => (tx, limit) =>
            deleteEventsBeforeUnscoped(tx, { ...partition, before: publishedBefore, limit }),
        }
        await expire(expiring, signal)
      }
    },
  })
}
