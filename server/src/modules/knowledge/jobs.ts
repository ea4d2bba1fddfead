/** Background work: indexing again, vectors that are missing, and deleting what nobody needs any more. */
import { z } from 'zod'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob } from '#kernel/jobs/jobs.ts'
import { indexText, storeIndex } from './chunks/index-file.ts'
import { refreshTerms } from './chunks/refresh-terms.ts'
import type { KnowledgeContext } from './context.ts'
import { embedAll } from './embeddings/embed-all.ts'
import { embedFile } from './embeddings/embed-file.ts'
import { findStaleUnscoped } from './queries/chunks.ts'
import { deleteEndedCrawlsUnscoped } from './queries/crawls.ts'
import { deleteOrphanedVectorsUnscoped } from './queries/vectors.ts'

const hourSec = 3600

/** File by file, each in its own transaction: a crash continues with the next. */
export const createReindexJob = (context: () => KnowledgeContext) =>
  defineJob({
    name: 'knowledge.reindex',
    data: z.object({ collectionId: z.uuid() }),
    perGroup: 1,
    expireInSec: hourSec,
    handle: async ({ collectionId }, { signal }) => {
      const { db, files, chunking, clock } = context()
      for (;;) {
        signal.throwIfAborted()
        const fileId = await findStaleUnscoped(db, collectionId)
        if (fileId === undefined) return
        const text = await files.findTextUnscoped(db, fileId)
        const indexed = indexText(text ?? { content: '', marks: [] }, chunking())
        await db.transaction().execute(async (tx) => {
          if ((await files.lockUnscoped(tx, [fileId])).length > 0)
            await storeIndex(tx, { fileId, indexed, at: clock.now() })
        })
        await embedFile(context(), { fileId, signal })
      }
    },
  })

/**
 * Every five minutes, and when processing could not embed all of a file. Also copies vectors that pgvector lacks, and
 * brings full text up to date that an older version wrote.
 */
export const createEmbedJob = (context: () => KnowledgeContext) =>
  defineJob<object>({
    name: 'knowledge.embed',
    data: z.object({}),
    policy: 'stately',
    expireInSec: 6 * hourSec,
    timetable: { cron: '*/5 * * * *', data: {} },
    handle: async (_data, { signal }) => {
      const { db, vectors } = context()
      try {
        await embedAll(context(), signal)
        await vectors.copy(db, { signal })
      } finally {
        // Last, so that vectors of new files don't wait for it; and also while the engine fails.
        await refreshTerms(context(), signal)
      }
    },
  })

const sweepLimit = 10_000

export const createVectorSweep = (context: KnowledgeContext) =>
  defineJob({
    name: 'knowledge.sweep-vectors',
    data: z.object({}),
    timetable: { cron: '17 * * * *', data: {} },
    handle: async () => {
      while ((await deleteOrphanedVectorsUnscoped(context.db, sweepLimit)) === sweepLimit);
    },
  })

const crawlsKeptMs = 30 * 24 * hourSec * 1000
const crawlBatch = 100

/** The pages that a crawl added stay; what is deleted is the record of how it went. */
export const createCrawlSweep = ({ clock, db }: Pick<KnowledgeContext, 'clock' | 'db'>) =>
  defineJob({
    name: 'knowledge.sweep-crawls',
    data: z.object({}),
    timetable: { cron: '27 3 * * *', data: {} },
    handle: async (_data, { signal }) => {
      const before = new Date(clock.now().getTime() - crawlsKeptMs)
      await inBatches(signal, async () => (await deleteEndedCrawlsUnscoped(db, before, crawlBatch)) === crawlBatch)
    },
  })
