/** How long events and decisions are kept, and the job that lets the older ones go, a batch at a time. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { EventBusContext } from './context.ts'
import { deleteDeliveriesBefore } from './queries/deliveries.ts'
import { deleteEventsBefore, deleteKeysBefore } from './queries/retention.ts'

const dayMs = 86_400_000
const batchSize = 1000

const Days = z.int().min(0).max(36_500)

type Retention = Record<'eventDays' | 'deliveryDays', () => number>

export const registerRetention = (settings: Pick<Settings, 'register'>): Retention => ({
  eventDays: settings.register<number>({
    key: 'events.retention_days',
    type: 'number',
    sentence: 'For how many days events are kept; 0 keeps them for good.',
    ...{ schema: Days, environment: undefined, fallback: 30 },
  }),
  deliveryDays: settings.register<number>({
    key: 'events.delivery_retention_days',
    type: 'number',
    sentence: 'For how many days the decisions about events are kept; 0 keeps them for good.',
    ...{ schema: Days, environment: undefined, fallback: 30 },
  }),
})

type DeleteBefore = (tx: Db, before: Date, limit: number) => Promise<number>

export const retentionJob = (
  { clock, db, failpoints }: Pick<EventBusContext, 'clock' | 'db' | 'failpoints'>,
  retention: Retention,
): JobDefinition<Record<string, never>> => {
  /** Short transactions, and the word that the database asks for before it lets an event go. */
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
      await deleteAll(deleteKeysBefore, now, signal)
      if (retention.deliveryDays() > 0)
        await deleteAll(deleteDeliveriesBefore, daysAgo(retention.deliveryDays()), signal)
      if (retention.eventDays() > 0) await deleteAll(deleteEventsBefore, daysAgo(retention.eventDays()), signal)
    },
  })
}
