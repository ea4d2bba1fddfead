/** The retention of events and decisions, and the job that deletes older ones in batches. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import { declareRetention, type Retention, type Settings } from '#modules/settings/index.ts'
import type { EventBusContext } from './context.ts'
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

type DeleteBefore = (tx: Db, before: Date, limit: number) => Promise<number>

export const retentionJob = (
  { clock, db, failpoints }: Pick<EventBusContext, 'clock' | 'db' | 'failpoints'>,
  { events, deliveries }: Record<'events' | 'deliveries', Pick<Retention, 'before'>>,
): JobDefinition<Record<string, never>> => {
  /** In short transactions, with the setting that the trigger on `events` requires for a delete. */
  const deleteAll = (deleteSome: DeleteBefore, before: Date, signal: AbortSignal): Promise<void> =>
    inBatches(signal, () =>
      db.transaction().execute(async (tx) => {
        await sql`set local chancery.retention = 'on'`.execute(tx)
        await failpoints.hit('retention: allowed')
        const deleted = await deleteSome(tx, before, batchSize)
        await failpoints.hit('retention: deleted')
        return deleted === batchSize
      }),
    )
  return defineJob({
    name: 'events.retention',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '41 * * * *', data: {} },
    handle: async (_data, { signal }) => {
      const now = clock.now()
      await deleteAll(deleteKeysBeforeUnscoped, now, signal)
      await deleteSubscriptionLogUnscoped(db)
      const decidedBefore = deliveries.before(now)
      if (decidedBefore) {
        await markDeliveriesDeletedUnscoped(db, decidedBefore)
        await deleteAll(deleteDeliveriesBeforeUnscoped, decidedBefore, signal)
      }
      const publishedBefore = events.before(now)
      if (publishedBefore) await deleteAll(deleteEventsBeforeUnscoped, publishedBefore, signal)
    },
  })
}
