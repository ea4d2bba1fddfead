/** The retention of ended runs and their steps, and the job that deletes older ones, and approvals that are too old. */
import { z } from 'zod'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { deleteOldApprovals } from '../approvals/approval-retention.ts'
import { deleteRunsBeforeUnscoped, deleteStepsBeforeUnscoped, deleteUnansweredUnscoped } from '../queries/retention.ts'
import { deleteEndedWaitsUnscoped } from '../queries/waits.ts'
import type { RunsNeeds } from '../shared/context.ts'

const dayMs = 86_400_000
const batchSize = 1000
const Days = z.int().min(0).max(36_500)

export const runRetentionJob = (
  kernel: Pick<Kernel, 'audit' | 'clock' | 'db' | 'failpoints'>,
  { settings, auditDays }: Pick<RunsNeeds, 'settings' | 'auditDays'>,
): JobDefinition => {
  const { clock, db, failpoints } = kernel
  const stepDays = settings.register<number>({
    key: 'workflows.step_retention_days',
    type: 'number',
    sentence: 'How many days the steps of ended runs are kept. 0 keeps them forever.',
    schema: Days,
    environment: undefined,
    fallback: 14,
  })
  const runDays = settings.register<number>({
    key: 'workflows.run_retention_days',
    type: 'number',
    sentence: 'How many days ended runs are kept. 0 keeps them forever.',
    schema: Days,
    environment: undefined,
    fallback: 90,
  })
  return defineJob({
    name: 'workflows.retention',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '17 * * * *', data: {} },
    handle: async (_data, { signal }) => {
      for (const [days, deleteSome] of [
        [stepDays(), deleteStepsBeforeUnscoped] as const,
        [runDays(), deleteRunsBeforeUnscoped] as const,
      ]) {
        const before = new Date(clock.now().getTime() - days * dayMs)
        if (days > 0) await inBatches(signal, () => deleteSome(db, before, batchSize))
        await failpoints.hit('run retention: deleted')
      }
      await inBatches(signal, () => deleteUnansweredUnscoped(db, batchSize))
      await deleteOldApprovals(kernel, { auditDays: auditDays(), batchSize, signal })
      await inBatches(signal, () => deleteEndedWaitsUnscoped(db, batchSize))
    },
  })
}
