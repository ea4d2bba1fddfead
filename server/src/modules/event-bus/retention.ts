/** The retention of events and decisions, and the job that deletes older ones in batches. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { EventBusContext } from './context.ts'
import { deleteDeliveriesBeforeUnscoped, markDeliveriesDeletedUnscoped } from './queries/deliveries.ts'
import { deleteEventsBeforeUnscoped, deleteKeysBeforeUnscoped } from './queries/retention.ts'

const dayMs = 86_400_000
const batchSize = 1000

const Days = z.int().min(0).max(36_500)

type Retention = Record<'eventDays' | 'deliveryDays', () => number>

export const registerRetention = (settings: Pick<Settings, 'register'>): Retention => ({
  eventDays: settings.register<number>({
    key: 'events.retention_days',
    type: 'number',
    sentence: 'How many days events are kept. 0 keeps them forever.',
    schema: Days,
    environment: undefined,
    fallback: 30,
  }),
  deliveryDays: settings.register<number>({
    key: 'events.delivery_retention_days',
    type: 'number',
    sentence: 'How many days delivery decisions are kept. 0 keeps them forever.',
    schema: Days,
    environment: undefined,
    fallback: 30,
  }),
})

type DeleteBefore = (tx: Db, before: Date, limit: number) => Promise<number>

export const retentionJob = (
  { clock, db, failpoints }: Pick<EventBusContext, 'clock' | 'db' | 'failpoints'>,
  retention: Retention,
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
      const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
      await deleteAll(deleteKeysBeforeUnscoped, now, signal)
      if (retention.deliveryDays() > 0) {
        const before = daysAgo(retention.deliveryDays())
        await markDeliveriesDeletedUnscoped(db, before)
        await deleteAll(deleteDeliveriesBeforeUnscoped, before, signal)
      }
      if (retention.eventDays() > 0) await deleteAll(deleteEventsBeforeUnscoped, daysAgo(retention.eventDays()), signal)
    },
  })
}
