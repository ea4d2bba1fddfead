/** The job that processes a file, and the sweep after crashes: files whose worker or job is gone, and abandoned ones. */
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { FilesContext } from './context.ts'
import { deleteFiles } from './delete-file.ts'
import { enqueueProcessing } from './enqueue-processing.ts'
import { heldProcessing } from './held-processing.ts'
import { processFile } from './process-file.ts'
import { lockAbandonedUnscoped } from './queries/files.ts'
import { listStrandedUnscoped } from './queries/processing.ts'

/** Longer than the largest file takes: the lease, not the job's time, decides who works on it. */
const expireInSec = 3600
/** More than there are processes: the pool of processes decides whose turn it is, and knows who used much lately. */
const concurrency = 16

export const createProcessJob = (context: () => FilesContext): JobDefinition<{ fileId: string }> =>
  defineJob({
    name: 'files.process',
    data: z.object({ fileId: z.uuid() }),
    retryLimit: 4,
    expireInSec,
    concurrency,
    perGroup: 1,
    held: heldProcessing(context),
    handle: ({ fileId }, { signal }) => processFile(context(), fileId, signal),
  })

const sweepLimit = 500

export const createSweepJob = (context: FilesContext) =>
  defineJob({
    name: 'files.sweep',
    data: z.object({}),
    timetable: { cron: '* * * * *', data: {} },
    handle: async () => {
      const { db } = context
      for (const file of await listStrandedUnscoped(db, sweepLimit)) await enqueueProcessing(context, db, file)
      await db
        .transaction()
        .execute(async (tx) => deleteFiles(context, tx, await lockAbandonedUnscoped(tx, sweepLimit)))
    },
  })
