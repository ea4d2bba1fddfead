/** The audit log's retention, and the job that deletes older entries. */
import { z } from 'zod'
import { deleteAuditBeforeUnscoped } from '#kernel/audit/audit.ts'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Settings } from '#modules/settings/index.ts'

const dayMs = 86_400_000
const batchSize = 1000

/** Reads the days in force; 0 is forever. */
export const registerAuditDays = (settings: Pick<Settings, 'register'>): (() => number) =>
  settings.register<number>({
    key: 'audit.retention_days',
    type: 'number',
    sentence: 'How many days entries of the audit log are kept. 0 keeps them forever.',
    schema: z.int().min(0).max(36_500),
    environment: undefined,
    fallback: 0,
  })

/** Each batch leaves an entry that says how much was deleted. */
export const auditRetentionJob = (
  { audit, clock, db }: Pick<Kernel, 'audit' | 'clock' | 'db'>,
  auditDays: () => number,
): JobDefinition =>
  defineJob({
    name: 'audit.retention',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '29 * * * *', data: {} },
    handle: async (_data, { signal }) => {
      const days = auditDays()
      if (days === 0) return
      const before = new Date(clock.now().getTime() - days * dayMs)
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
