/** Gives the chunks of a file their vectors, batch by batch. What is there already, also of other files, is not made again. */
import type { Progress } from '@chancery/contract/files.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Files } from '#modules/files/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { countChangeUnscoped } from '../queries/chunks.ts'
import {
  insertVectorsUnscoped,
  listFilesOfTextsUnscoped,
  listFilesToEmbedUnscoped,
  listUnembeddedUnscoped,
} from '../queries/vectors.ts'

interface Deps extends Pick<KnowledgeContext, 'db' | 'embeddings' | 'vectors'> {
  files: Pick<Files, 'listUnscoped'>
}

interface Request {
  fileId: string
  signal: AbortSignal
  /** Stops between two batches when the time is over; the background job does the rest. */
  budgetMs?: number
  total?: number
  report?(progress: Progress): Promise<void>
}

/** False when something is left. */
export const embedFile = async (
  { db, embeddings, files, vectors: index }: Deps,
  request: Request,
): Promise<boolean> => {
  const { fileId, signal, budgetMs = Infinity, total = null, report } = request
  const engine = embeddings.engine()
  if (!engine) return true
  const [file] = await files.listUnscoped(db, [fileId])
  if (!file) return true
  const payer = { kind: file.ownerKind, id: file.ownerId, organizationId: file.organizationId }
  const untilMs = performance.now() + budgetMs
  let done = 0
  let isCounted = true
  try {
    for (;;) {
      signal.throwIfAborted()
      // One more than is embedded now, to know which batch is the last.
      const waiting = await listUnembeddedUnscoped(db, engine.id, { fileId, limit: engine.batchSize + 1 })
      if (waiting.length === 0) {
        // Another file may have brought the vectors of a text that both hold, before it could see this file's chunks.
        if (done === 0) await countChangeUnscoped(db, [fileId])
        return true
      }
      const batch = waiting.slice(0, engine.batchSize)
      if (performance.now() > untilMs) return false
      const texts = batch.map(({ text, heading }) => (heading ? `${heading}\n${text}` : text))
      const vectors = await engine.embed(texts, { payer, signal })
      const rows = batch.flatMap(({ textHash }, index) => {
        const vector = vectors[index]
        return vector ? [{ textHash, vector }] : []
      })
      const isLast = waiting.length === batch.length
      await storeVectors(db, { fileId, engineId: engine.id, rows, isLast })
      isCounted = isLast
      done += rows.length
      await report?.({ stage: 'embedding', done, total })
    }
  } finally {
    // Before the copy, which can take long and can fail: without a new version, other nodes don't read the vectors.
    if (!isCounted) await countChangeUnscoped(db, [fileId])
    if (done > 0) await index.copy(db, { fileId, signal })
  }
}

interface Batch {
  fileId: string
  engineId: string
  rows: Parameters<typeof insertVectorsUnscoped>[2]
  isLast: boolean
}

/**
 * Other files with the same texts get their vectors here too, so each batch counts their change. The file's own is
 * counted with the last batch: after a crash nothing of it would be left to embed, and so nobody would count it. After a
 * crash between two batches, the job that embeds the rest does.
 */
const storeVectors = (db: Db, { fileId, engineId, rows, isLast }: Batch): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await insertVectorsUnscoped(tx, engineId, rows)
    const holding = await listFilesOfTextsUnscoped(
      tx,
      rows.map(({ textHash }) => textHash),
    )
    await countChangeUnscoped(tx, isLast ? [...new Set([...holding, fileId])] : holding.filter((id) => id !== fileId))
  })

const filesPerRound = 50

/** Everything that has no vector of the engine in force: after a failure, or after a change of engine. */
export const embedAll = async (context: Deps, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const engine = context.embeddings.engine()
    const fileIds = engine ? await listFilesToEmbedUnscoped(context.db, engine.id, filesPerRound) : []
    if (fileIds.length === 0) return
    for (const fileId of fileIds) await embedFile(context, { fileId, signal })
  }
}
