/** All SQL of this module. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { AudioPreferencesTable, SpeechCacheTable, TranscriptPiecesTable } from './tables.ts'

type Choices = Omit<AudioPreferencesTable, 'userId' | 'updatedAt'>
type Changes = { [Choice in keyof Choices]?: Choices[Choice] | undefined }

export const findPreferences = (db: Db, actor: Actor) =>
  db
    .selectFrom('audioPreferences')
    .select(['voice', 'ttsModel', 'speed', 'language'])
    .where('userId', '=', actor.id)
    .executeTakeFirst()

export const savePreferences = async (
  db: Db,
  actor: Actor,
  { changes, at }: { changes: Changes; at: Date },
): Promise<void> => {
  const none: Choices = { voice: null, ttsModel: null, speed: null, language: null }
  const given: Partial<Choices> = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  await db
    .insertInto('audioPreferences')
    .values({ userId: actor.id, ...none, ...given, updatedAt: at })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...given, updatedAt: at }))
    .execute()
}

/** The hash holds the caller's organization, so that it finds only what was made there. */
export const findSpeechUnscoped = (db: Db, hash: string) =>
  db.selectFrom('speechCache').selectAll().where('hash', '=', hash).executeTakeFirst()

export const touchSpeechUnscoped = async (db: Db, hash: string, at: Date): Promise<void> => {
  await db.updateTable('speechCache').set({ usedAt: at }).where('hash', '=', hash).execute()
}

/** False when another request was first. */
export const insertSpeechUnscoped = async (db: Db, row: SpeechCacheTable): Promise<boolean> => {
  const inserted = await db
    .insertInto('speechCache')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Answers the keys of the blobs that nobody needs any more. */
export const deleteUnusedSpeechUnscoped = async (db: Db, before: Date, limit: number): Promise<string[]> => {
  const unused = db.selectFrom('speechCache').select('hash').where('usedAt', '<', before).limit(limit)
  const rows = await db.deleteFrom('speechCache').where('hash', 'in', unused).returning('blobKey').execute()
  return rows.map(({ blobKey }) => blobKey)
}

/** Pieces of a file that this engine has already transcribed. */
export const listPiecesUnscoped = (db: Db, fileId: string, engine: string): Promise<TranscriptPiecesTable[]> =>
  db.selectFrom('transcriptPieces').selectAll().where('fileId', '=', fileId).where('engine', '=', engine).execute()

export const insertPieceUnscoped = async (db: Db, piece: TranscriptPiecesTable): Promise<void> => {
  await db
    .insertInto('transcriptPieces')
    .values(piece)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const deletePiecesUnscoped = async (db: Db, fileId: string): Promise<void> => {
  await db.deleteFrom('transcriptPieces').where('fileId', '=', fileId).execute()
}
