/** Gives the chunks of a file their vectors, batch by batch. What is there already, also of other files, is not made again. */
import type { Progress } from '@chancery/contract/files.ts'
import type { Db } from '#kernel/db/database.ts'
import { isBudgetSpent, type Payer } from '#kernel/meter.ts'
import type { Files } from '#modules/files/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { countChangeUnscoped } from '../queries/chunks.ts'
import {
  clearUnpaidUnscoped,
  insertVectorsUnscoped,
  listFilesOfTextsUnscoped,
  listFilesToEmbedUnscoped,
  listUnembeddedUnscoped,
  markUnpaidUnscoped,
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

/** The rest is made later when the time is over, and once the owner's budget resets when it is spent. */
export type Embedded = 'whole' | 'out_of_time' | 'unpaid'

type EmbedDeps = Omit<Deps, 'log'>
type File = Awaited<ReturnType<Deps['files']['listUnscoped']>>[number]

export const embedFile = async (deps: EmbedDeps, request: Request): Promise<Embedded> => {
  const [file] = await deps.files.listUnscoped(deps.db, [request.fileId])
  return file ? embedListed(deps, file, request) : 'whole'
}

const embedListed = async (deps: EmbedDeps, file: File, request: Request): Promise<Embedded> => {
  const { db, embeddings } = deps
  const engine = embeddings.engine()
  if (!engine) return 'whole'
  const payer = { kind: file.ownerKind, id: file.ownerId, organizationId: file.organizationId }
  try {
    return await embedChunks(deps, { ...request, engine, payer })
  } catch (problem) {
    if (!isBudgetSpent(problem)) throw problem
    await markUnpaidUnscoped(db, engine.id, [file.id])
    return 'unpaid'
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
    if (isLast) await clearUnpaidUnscoped(tx, fileId)
  })

const filesPerRound = 50

/**
 * Everything that has no vector of the engine in force: after a failure, or after a change of engine. An owner whose
 * budget is spent is asked for once; their other files wait too, and hold up nobody else's.
 */
export const embedAll = async (context: Deps, signal: AbortSignal): Promise<void> => {
  const { db, embeddings, files, log } = context
  const spent = new Set<string>()
  let passed: { engineId: string; fileId: string } | undefined
  let unpaid = 0
  for (let engine = embeddings.engine(); engine; engine = embeddings.engine()) {
    const after = passed?.engineId === engine.id ? passed.fileId : undefined
    const fileIds = await listFilesToEmbedUnscoped(db, engine.id, { limit: filesPerRound, after })
    const last = fileIds.at(-1)
    if (last === undefined) break
    passed = { engineId: engine.id, fileId: last }
    const waiting: string[] = []
    for (const file of await files.listUnscoped(db, fileIds)) {
      const payer = `${file.ownerId} ${file.organizationId}`
      if (spent.has(payer)) waiting.push(file.id)
      else if ((await embedListed(context, file, { fileId: file.id, signal })) === 'unpaid') spent.add(payer)
    }
    unpaid += await markUnpaidUnscoped(db, engine.id, waiting)
  }
  if (unpaid > 0 || spent.size > 0)
    log.info({ files: unpaid, owners: spent.size }, "Files wait for their vectors until their owner's budget resets.")
}
