/** Gives the chunks of a file their vectors, batch by batch. What is there already, also of other files, is not made again. */
import type { Progress } from '@chancery/contract/files.ts'
import type { Db } from '#kernel/db/database.ts'
import { isBudgetSpent } from '#kernel/meter.ts'
import type { Files } from '#modules/files/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { countChangeUnscoped } from '../queries/chunks.ts'
import {
  insertVectorsUnscoped,
  listFilesOfTextsUnscoped,
  listFilesToEmbedUnscoped,
  listUnembeddedUnscoped,
  type Unembedded,
} from '../queries/vectors.ts'
import type { EmbedOptions, Engine } from './engine.ts'

interface Deps extends Pick<KnowledgeContext, 'db' | 'embeddings' | 'log' | 'vectors'> {
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

/** False when something is left: the time is over, or the owner's budget is spent. */
export const embedFile = async (
  { db, embeddings, files, vectors: index }: Omit<Deps, 'log'>,
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
      const rows = await embedTexts(engine, batch, { payer, signal })
      const isLast = waiting.length === batch.length
      await storeVectors(db, { fileId, engineId: engine.id, rows, isLast })
      isCounted = isLast
      done += rows.length
      await report?.({ stage: 'embedding', done, total })
    }
  } catch (problem) {
    if (isBudgetSpent(problem)) return false
    throw problem
  } finally {
    // Before the copy, which can take long and can fail: without a new version, other nodes don't read the vectors.
    if (!isCounted) await countChangeUnscoped(db, [fileId])
    if (done > 0) await index.copy(db, { fileId, signal })
  }
}

const embedTexts = async (engine: Engine, batch: readonly Unembedded[], options: EmbedOptions) => {
  const texts = batch.map(({ text, heading }) => (heading ? `${heading}\n${text}` : text))
  const vectors = await engine.embed(texts, options)
  return batch.flatMap(({ textHash }, index) => {
    const vector = vectors[index]
    return vector ? [{ textHash, vector }] : []
  })
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

/**
 * Everything that has no vector of the engine in force: after a failure, or after a change of engine. Files whose owner
 * has spent their budget are left to a later round, and hold up nobody else's.
 */
export const embedAll = async (context: Deps, signal: AbortSignal): Promise<void> => {
  const { db, embeddings, log } = context
  const unpaid: string[] = []
  for (;;) {
    const engine = embeddings.engine()
    const options = { limit: filesPerRound, except: unpaid }
    const fileIds = engine ? await listFilesToEmbedUnscoped(db, engine.id, options) : []
    if (fileIds.length === 0) break
    for (const fileId of fileIds) if (!(await embedFile(context, { fileId, signal }))) unpaid.push(fileId)
  }
  if (unpaid.length > 0)
    log.info({ files: unpaid.length }, "Files wait for their vectors until their owner's budget resets.")
}
