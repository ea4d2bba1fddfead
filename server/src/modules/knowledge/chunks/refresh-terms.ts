/**
 * Brings documents up to date that were indexed before a change of `searchable-text.ts`. Each in its own transaction, so
 * that a crash continues with the next. Texts, chunks and vectors stay as they are.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Files } from '#modules/files/index.ts'
import { findOutdatedTermsUnscoped, lockChunkTextsUnscoped, updateTermsUnscoped } from '../queries/terms.ts'
import { isTriple, searchableChunk, termsVersion } from './searchable-text.ts'

export const refreshTerms = async (
  { db, files }: { db: Db; files: Pick<Files, 'lockUnscoped'> },
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const fileId = await findOutdatedTermsUnscoped(db)
    if (fileId === undefined) return
    await db.transaction().execute(async (tx) => {
      await files.lockUnscoped(tx, [fileId])
      const chunks = await lockChunkTextsUnscoped(tx, fileId)
      const changed = chunks.flatMap(({ id, text, heading }) => {
        const terms = searchableChunk(text, heading)
        // The second version added triples, so nothing else has changed.
        return terms.searchable.split(' ').some(isTriple) ? [{ id, ...terms }] : []
      })
      await updateTermsUnscoped(tx, fileId, { chunks: changed, version: termsVersion })
    })
  }
}
