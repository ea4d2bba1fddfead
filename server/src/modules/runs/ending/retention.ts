/** The retention of ended runs and their steps, and the job that deletes older ones, and approvals that are too old. */
import { z } from 'zod'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { declareRetention } from '#modules/settings/index.ts'
import { deleteOldApprovals } from '../approvals/approval-retention.ts'
import { deleteRunsBeforeUnscoped, deleteStepsBeforeUnscoped, deleteUnansweredUnscoped } from '../queries/retention.ts'
import { deleteEndedWaitsUnscoped } from '../queries/waits.ts'
import type { RunsNeeds } from '../shared/context.ts'

const batchSize = 1000

export const runRetentionJob = (
  kernel: Pick<Kernel, 'audit' | 'clock' | 'db' | 'failpoints'>,
  { settings, auditDays }: Pick<RunsNeeds, 'settings' | 'auditDays'>,
): JobDefinition => {
  const { clock, db, failpoints } = kernel
  const steps = declareRetention(settings, {
    what: 'the steps of ended runs',
    howLong: 14,
    setting: 'workflows.step_retention_days',
  })
  const runs = declareRetention(settings, {
    what: 'ended runs',
    howLong: 90,
    setting: 'workflows.run_retention_days',
  })
  return defineJob({
    name: 'workflows.retention',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '17 * * * *', data: {} },
    handle: async (_data, { signal }) => {
      for (const [kept, deleteSome] of [
        [steps, deleteStepsBeforeUnscoped] as const,
        [runs, deleteRunsBeforeUnscoped] as const,
      ]) {
        const before = kept.before(clock.now())
        if (before) await inBatches(signal, () => deleteSome(db, before, batchSize))
        await failpoints.hit('run retention: deleted')
      }
      await inBatches(signal, () => deleteUnansweredUnscoped(db, batchSize))
      await deleteOldApprovals(kernel, { auditDays: auditDays(), batchSize, signal })
      await inBatches(signal, () => deleteEndedWaitsUnscoped(db, batchSize))
    },
  })
}
