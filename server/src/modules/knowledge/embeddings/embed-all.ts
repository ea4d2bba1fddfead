/** The background job: everything that has no vector of the engine in force, after a failure or a change of engine. */
import type { KnowledgeContext } from '../context.ts'
import { listFilesToEmbedUnscoped, markUnpaidUnscoped } from '../queries/vectors.ts'
import { type EmbedDeps, type Embedded, embedFor } from './embed-file.ts'

const filesPerRound = 50

/**
 * Once an owner's budget is spent, or has no room beside their other calls, the rest of their files wait for a later run
 * and hold up nobody else's.
 */
export const embedAll = async (
  context: EmbedDeps & Pick<KnowledgeContext, 'log'>,
  signal: AbortSignal,
): Promise<void> => {
  const { db, embeddings, files, log } = context
  const refused = new Map<string, Embedded>()
  let passed: { engineId: string; fileId: string } | undefined
  let marked = 0
  for (let engine = embeddings.engine(); engine; engine = embeddings.engine()) {
    const after = passed?.engineId === engine.id ? passed.fileId : undefined
    const fileIds = await listFilesToEmbedUnscoped(db, engine.id, { limit: filesPerRound, after })
    const last = fileIds.at(-1)
    if (last === undefined) break
    passed = { engineId: engine.id, fileId: last }
    const unpaid: string[] = []
    for (const file of await files.listUnscoped(db, fileIds)) {
      const payer = `${file.ownerId} ${file.organizationId}`
      const embedded = refused.get(payer) ?? (await embedFor(context, file, { fileId: file.id, engine, signal }))
      if (embedded !== 'whole') refused.set(payer, embedded)
      if (embedded === 'unpaid') unpaid.push(file.id)
    }
    marked += await markUnpaidUnscoped(db, engine.id, unpaid)
  }
  if (marked > 0) log.info({ files: marked }, "Files wait for their vectors until their owner's budget resets.")
}
