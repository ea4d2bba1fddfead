/** The retention of the records of due times, and the job that deletes older ones in batches. */
import { z } from 'zod'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { deleteFiresBeforeUnscoped } from './queries/cron-fires.ts'

const retentionMs = 30 * 86_400_000
const batchSize = 1000

export const fireRetentionJob = ({ clock, db }: Pick<Kernel, 'clock' | 'db'>): JobDefinition =>
  defineJob({
    name: 'workflows.cron-fires',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '17 3 * * *', data: {} },
    handle: async (_data, { signal }) => {
      const before = new Date(clock.now().getTime() - retentionMs)
      await inBatches(signal, () => deleteFiresBeforeUnscoped(db, before, batchSize))
    },
  })
