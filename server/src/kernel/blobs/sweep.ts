/** Deletes the blobs that nobody owns. */
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Failpoints } from '../failpoints.ts'
import { inBatches } from '../jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '../jobs/jobs.ts'
import type { BlobStore } from './blob-store.ts'
import { deleteUnownedUnscoped, takeDueUnscoped } from './queries.ts'

interface Options {
  store: BlobStore
  db: Db
  clock: Clock
  failpoints: Failpoints
}

/** A staged blob waits this long for its claim, counted from the last byte that came. */
export const unclaimedMs = 60 * 60 * 1000
const batchSize = 100

/**
 * A blob is marked before its bytes go, so that no claim can win a blob that is half deleted. One that expired rather
 * than being released keeps its mark for another hour and is then deleted once more: its node may have been standing
 * still, and may have written the bytes after the first time.
 */
export const createSweepJob = ({ store, db, clock, failpoints }: Options): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'blobs.sweep',
    data: z.object({}),
    timetable: { cron: '*/10 * * * *', data: {} },
    concurrency: 1,
    handle: async (_data, { signal, log }) => {
      await store.removeLeftOvers()
      await inBatches(signal, async () => {
        const now = clock.now()
        const retryAt = new Date(now.getTime() + unclaimedMs)
        const due = await takeDueUnscoped(db, { now, retryAt, limit: batchSize })
        for (const { key, wasDiscarded } of due) {
          try {
            await failpoints.hit('sweep: marked')
            await store.delete(key)
            await failpoints.hit('sweep: deleted')
            if (wasDiscarded) await deleteUnownedUnscoped(db, key)
          } catch (problem) {
            log.warn({ err: problem, key }, 'a blob could not be deleted; the sweep tries again in an hour')
          }
        }
        return due.length === batchSize
      })
    },
  })
