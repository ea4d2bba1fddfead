/** The audit log's retention, and the job that deletes older entries. */
import { z } from 'zod'
import { deleteAuditBeforeUnscoped } from '#kernel/audit/audit.ts'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { declareRetention, type Retention, type Settings } from '#modules/settings/index.ts'

const batchSize = 1000

export const declareAuditRetention = (settings: Pick<Settings, 'register'>): Retention =>
  declareRetention(settings, { what: 'entries of the audit log', howLong: 0, setting: 'audit.retention_days' })

/** Each batch leaves an entry that says how much was deleted. */
export const auditRetentionJob = (
  { audit, clock, db }: Pick<Kernel, 'audit' | 'clock' | 'db'>,
  retention: Pick<Retention, 'before'>,
): JobDefinition =>
  defineJob({
    name: 'audit.retention',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '29 * * * *', data: {} },
    handle: async (_data, { signal }) => {
      const before = retention.before(clock.now())
      if (!before) return
      await inBatches(signal, () =>
        db.transaction().execute(async (tx) => {
          const count = await deleteAuditBeforeUnscoped(tx, before, batchSize)
          if (count > 0)
            await audit.record(tx, {
              action: 'audit.expire',
              by: 'system',
              detail: { count, before: before.toISOString() },
            })
          return count === batchSize
        }),
      )
    },
  })
