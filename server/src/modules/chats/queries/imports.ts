/** All SQL for `chat_imports`. An import belongs to the person who started it. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatImportsTable } from '../tables.ts'

export type ImportRow = Selectable<ChatImportsTable>

/** Returns false if the caller already has an import with this id. Forgets the caller's old ones. */
export const insertImport = async (
  db: Db,
  actor: Pick<Actor, 'id'>,
  row: Pick<ImportRow, 'id' | 'totalBytes'> & { at: Date; forgetBefore: Date },
): Promise<boolean> => {
  const { id, totalBytes, at, forgetBefore } = row
  await db.deleteFrom('chatImports').where('userId', '=', actor.id).where('updatedAt', '<', forgetBefore).execute()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('chatImports')
    .values({ userId: actor.id, id, totalBytes, startedAt: at, updatedAt: at })
    .onConflict((conflict) => conflict.columns(['userId', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const findImport = (db: Db, actor: Pick<Actor, 'id'>, id: string): Promise<ImportRow | undefined> =>
  db.selectFrom('chatImports').selectAll().where('userId', '=', actor.id).where('id', '=', id).executeTakeFirst()

/** Those that have counted something since then. */
export const listRunningImports = (db: Db, actor: Pick<Actor, 'id'>, since: Date): Promise<ImportRow[]> =>
  db
    .selectFrom('chatImports')
    .selectAll()
    .where('userId', '=', actor.id)
    .where('status', '=', 'running')
    .where('updatedAt', '>', since)
    .orderBy('startedAt')
    .limit(20)
    .execute()

export const countInImport = async (
  db: Db,
  actor: Pick<Actor, 'id'>,
  step: { id: string; imported: number; skipped: number; readBytes: number; at: Date },
): Promise<void> => {
  await db
    .updateTable('chatImports')
    .set({
      imported: sql`imported + ${step.imported}`,
      skippedCount: sql`skipped_count + ${step.skipped}`,
      readBytes: step.readBytes,
      updatedAt: step.at,
    })
    .where('userId', '=', actor.id)
    .where('id', '=', step.id)
    .execute()
}

export const endImport = async (
  db: Db,
  actor: Pick<Actor, 'id'>,
  { id, at, ...end }: { id: string; status: 'finished' | 'failed'; reason: string | null; readBytes: number; at: Date },
): Promise<void> => {
  await db
    .updateTable('chatImports')
    .set({ ...end, updatedAt: at })
    .where('userId', '=', actor.id)
    .where('id', '=', id)
    .execute()
}
