/** Nightly: deletes speech that nobody has listened to for a month. */
import { z } from 'zod'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { AudioContext } from './context.ts'
import { deleteUnusedSpeechUnscoped } from './queries.ts'

const keptMs = 30 * 86_400_000
const batchSize = 200

export const sweepJob = ({ blobs, clock, db }: AudioContext): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'audio.sweep',
    data: z.strictObject({}),
    timetable: { cron: '41 3 * * *', data: {} },
    handle: async (_data, { signal }) => {
      const before = new Date(clock.now().getTime() - keptMs)
      await inBatches(signal, () =>
        db.transaction().execute(async (tx) => {
          const keys = await deleteUnusedSpeechUnscoped(tx, before, batchSize)
          await blobs.release(tx, keys)
          return keys.length === batchSize
        }),
      )
    },
  })
