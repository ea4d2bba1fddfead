/** Indexes every processed file: chunks and full text at once, vectors as far as time allows. */
import type { FileProcessor } from '#modules/files/index.ts'
import { indexText, storeIndex } from './chunks/index-file.ts'
import type { KnowledgeContext } from './context.ts'
import { embedFile } from './embeddings/embed-file.ts'

/** A slow engine, or a long book: the file is usable by full text, and the background job embeds the rest. */
const budgetMs = 60_000

/** By the database's time, which decides when a job is due: a node's own clock may be wrong. */
const retryAfterMs = 10_000

export const createIndexProcessor =
  (context: KnowledgeContext): FileProcessor =>
  async (file, { text, signal, report, commit }) => {
    const { clock, db, jobs, log, queues } = context
    const indexed = indexText(text, context.chunking())
    await commit((tx) => storeIndex(tx, { fileId: file.id, indexed, at: clock.now() }))
    const total = indexed.chunks.length
    const embed = () => embedFile(context, { fileId: file.id, signal, budgetMs, total, report })
    const embedded = await embed().catch((problem: unknown) => {
      if (signal.aborted) throw problem
      log.warn({ err: problem, file: file.id }, 'A file could not be embedded; full-text search serves it meanwhile.')
      return 'failed' as const
    })
    // A file that waits for a budget is tried by the job's own timetable: sooner, nothing has changed.
    const isSoon = embedded === 'failed' || embedded === 'out_of_time'
    if (isSoon) await jobs.enqueue(db, queues.embed, {}, { startAfter: new Date(clock.now().getTime() + retryAfterMs) })
  }
