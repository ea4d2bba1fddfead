/** Gives the chunks of a file their vectors, batch by batch. What is there already, also of other files, is not made again. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Progress } from '@chancery/contract/files/files.ts'
import type { Db } from '#kernel/db/database.ts'
import { isBudgetSpent, type Payer, TemporaryLimit } from '#kernel/meter.ts'
import type { FileRow, Files } from '#modules/files/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { countChangeUnscoped } from '../queries/chunks.ts'
import {
  clearUnpaidUnscoped,
  insertVectorsUnscoped,
  listFilesOfTextsUnscoped,
  listUnembeddedUnscoped,
  markUnpaidUnscoped,
  type Unembedded,
} from '../queries/vectors.ts'
import type { EmbedOptions, Engine } from './engine.ts'

export interface EmbedDeps extends Pick<KnowledgeContext, 'db' | 'embeddings' | 'vectors'> {
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

/**
 * The rest is made later when the time is over or the owner's other calls leave no room in their budget, and once the
 * budget resets when it is spent.
 */
export type Embedded = 'whole' | 'out_of_time' | 'unpaid'

export const embedFile = async (deps: EmbedDeps, request: Request): Promise<Embedded> => {
  const { db, embeddings, files } = deps
  const engine = embeddings.engine()
  const [file] = await files.listUnscoped(db, [request.fileId])
  if (!engine || !file) return 'whole'
  const embedded = await embedFor(deps, file, { ...request, engine })
  if (embedded === 'unpaid') await markUnpaidUnscoped(db, engine.id, [request.fileId])
  return embedded
}

/** The caller marks the file where it is unpaid. */
export const embedFor = async (
  deps: EmbedDeps,
  { ownerKind, ownerId, organizationId }: Pick<FileRow, 'ownerKind' | 'ownerId' | 'organizationId'>,
  request: Request & { engine: Engine },
): Promise<Embedded> => {
  try {
    return await embedChunks(deps, { ...request, payer: { kind: ownerKind, id: ownerId, organizationId } })
  } catch (problem) {
    if (problem instanceof TemporaryLimit) return 'out_of_time'
    if (isBudgetSpent(problem)) return 'unpaid'
    throw problem
  }
}

const embedChunks = async (
  { db, vectors: index }: EmbedDeps,
  request: Request & { engine: Engine; payer: Payer },
): Promise<Embedded> => {
  const { fileId, signal, budgetMs = Infinity, total = null, report, engine, payer } = request
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
        return 'whole'
      }
      const batch = waiting.slice(0, engine.batchSize)
      if (performance.now() > untilMs) return 'out_of_time'
      const rows = await embedTexts(engine, batch, { payer, signal })
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

const embedTexts = async (engine: Engine, batch: readonly Unembedded[], options: EmbedOptions) => {
  const texts = batch.map(({ text, heading }) => (heading ? `${heading}\n${text}` : text))
  const vectors = await whenThereIsRoom(options.signal, () => engine.embed(texts, options))
  return batch.flatMap(({ textHash }, index) => {
    const vector = vectors[index]
    return vector ? [{ textHash, vector }] : []
  })
}

const maxWaitMs = 10_000

/** Other calls of the owner may hold the rest of the budget, such as the batch of another file: they take seconds. */
const whenThereIsRoom = async <Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> => {
  const untilMs = performance.now() + maxWaitMs
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2000)) {
    try {
      return await call()
    } catch (problem) {
      if (!(problem instanceof TemporaryLimit) || performance.now() + waitMs > untilMs) throw problem
    }
    await delay(waitMs, undefined, { signal })
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
    if (isLast) await clearUnpaidUnscoped(tx, fileId)
  })
