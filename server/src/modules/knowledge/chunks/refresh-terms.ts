/**
 * Brings documents up to date that were indexed before a change of `searchable-text.ts`. Each in its own transaction, so
 * that a crash continues with the next. Texts, chunks and vectors stay as they are.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Files } from '#modules/files/index.ts'
import {
  findOutdatedTermsUnscoped,
  listChunkTextsUnscoped,
  lockDocumentUnscoped,
  updateChunkTermsUnscoped,
  updateTermsVersionUnscoped,
} from '../queries/terms.ts'
import { hasTriples, searchableChunk, termsVersion } from './searchable-text.ts'

/** Few enough that other requests don't wait for them. */
const chunksAtOnce = 200

export const refreshTerms = async (
  { db, files }: { db: Db; files: Pick<Files, 'lockUnscoped'> },
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const fileId = await findOutdatedTermsUnscoped(db)
    if (fileId === undefined) return
    await db.transaction().execute(async (tx) => {
      await files.lockUnscoped(tx, [fileId])
      await lockDocumentUnscoped(tx, fileId)
      await refreshChunks(tx, fileId, signal)
      await updateTermsVersionUnscoped(tx, fileId, termsVersion)
    })
  }
}

const refreshChunks = async (tx: Db, fileId: string, signal: AbortSignal): Promise<void> => {
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const chunks = await listChunkTextsUnscoped(tx, fileId, { after, limit: chunksAtOnce })
    // The second version added triples, so nothing else has changed.
    const changed = chunks.filter(({ text, heading }) => hasTriples(text) || hasTriples(heading ?? ''))
    const terms = changed.map(({ id, text, heading }) => ({ id, ...searchableChunk(text, heading) }))
    await updateChunkTermsUnscoped(tx, fileId, terms)
    if (chunks.length < chunksAtOnce) return
    after = chunks.at(-1)?.id ?? after
  }
}
