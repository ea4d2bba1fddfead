/** All SQL of this module. Every query is the caller's own. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { MemoriesTable } from './tables.ts'

export type MemoryRow = MemoriesTable

export const listMemories = (db: Db, actor: Actor): Promise<MemoryRow[]> =>
  db.selectFrom('memories').selectAll().where('userId', '=', actor.id).orderBy('updatedAt', 'desc').execute()

/** Until the transaction ends: two requests can't both write the last fact that fits. */
export const lockMemories = (tx: Db, actor: Actor) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`memories ${actor.id}`}, 0))`.execute(tx)

export const countMemories = async (db: Db, actor: Actor): Promise<number> => {
  const counted = db.selectFrom('memories').select(({ fn }) => fn.countAll().as('count'))
  const row = await counted.where('userId', '=', actor.id).executeTakeFirstOrThrow()
  return Number(row.count)
}

/** A fact that is there already is moved to the front instead. */
export const upsertMemory = (db: Db, actor: Actor, row: Omit<MemoryRow, 'userId'>): Promise<MemoryRow> =>
  db
    .insertInto('memories')
    .values({ ...row, userId: actor.id })
    .onConflict((conflict) =>
      conflict.expression(sql`user_id, md5(lower(content))`).doUpdateSet({ updatedAt: row.updatedAt }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Another fact with the same words goes, so that the words are there once. In a transaction, or both are as they were. */
export const updateMemory = async (
  tx: Db,
  actor: Actor,
  { id, content, at }: { id: string; content: string; at: Date },
): Promise<MemoryRow | undefined> => {
  await tx
    .deleteFrom('memories')
    .where('userId', '=', actor.id)
    .where('id', '<>', id)
    .where(sql<boolean>`md5(lower(content)) = md5(lower(${content}))`)
    .execute()
  return tx
    .updateTable('memories')
    .set({ content, source: 'person', updatedAt: at })
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .returningAll()
    .executeTakeFirst()
}

export const deleteMemory = async (db: Db, actor: Actor, id: string): Promise<boolean> => {
  const deleted = await db
    .deleteFrom('memories')
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export const deleteMemories = async (db: Db, actor: Actor): Promise<void> => {
  await db.deleteFrom('memories').where('userId', '=', actor.id).execute()
}

export const isMemoryOn = async (db: Db, actor: Actor): Promise<boolean> => {
  const row = await db.selectFrom('memorySwitches').select('enabled').where('userId', '=', actor.id).executeTakeFirst()
  return row?.enabled ?? true
}

export const switchMemory = async (db: Db, actor: Actor, enabled: boolean): Promise<void> => {
  await db
    .insertInto('memorySwitches')
    .values({ userId: actor.id, enabled })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ enabled }))
    .execute()
}
