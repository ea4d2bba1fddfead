/** All SQL for `prompts`. People read their own and what colleagues share; they change only their own. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { PromptsTable } from '../tables.ts'

export type PromptRow = PromptsTable

const readable = (db: Db, actor: Actor) =>
  db
    .selectFrom('prompts')
    .where((where) =>
      where.or([
        where('userId', '=', actor.id),
        where.and([where('shared', '=', true), where('organizationId', '=', actor.organizationId)]),
      ]),
    )

/**
 * By command; where two people use the same one, the caller's own comes first. Where colleagues share more than the limit
 * the caller's own are among those listed, and the total counts all.
 */
export const listPrompts = async (db: Db, actor: Actor, limit: number) => {
  const isOwn = sql`user_id = ${actor.id}`
  const listed = readable(db, actor).select('id').orderBy(isOwn, 'desc').orderBy('command').orderBy('id').limit(limit)
  const [items, { total }] = await Promise.all([
    db
      .selectFrom('prompts')
      .selectAll()
      .where('id', 'in', listed)
      .orderBy('command')
      .orderBy(isOwn, 'desc')
      .orderBy('id')
      .execute(),
    readable(db, actor)
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { items, total }
}

export const countPrompts = async (db: Db, actor: Actor): Promise<number> => {
  const { count } = await db
    .selectFrom('prompts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('userId', '=', actor.id)
    .executeTakeFirstOrThrow()
  return count
}

/** False when the caller already has a prompt with this command. */
export const insertPromptUnscoped = async (db: Db, prompt: PromptRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('prompts')
    .values(prompt)
    .onConflict((conflict) => conflict.columns(['userId', 'command']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export const isCommandTaken = async (db: Db, actor: Actor, { id, command }: Pick<PromptRow, 'id' | 'command'>) =>
  (await db
    .selectFrom('prompts')
    .select('id')
    .where('userId', '=', actor.id)
    .where('command', '=', command)
    .where('id', '!=', id)
    .executeTakeFirst()) !== undefined

export const updatePrompt = (
  db: Db,
  actor: Actor,
  { id, ...change }: Pick<PromptRow, 'id' | 'organizationId' | 'command' | 'content' | 'shared' | 'updatedAt'>,
): Promise<PromptRow | undefined> =>
  db
    .updateTable('prompts')
    .set(change)
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .returningAll()
    .executeTakeFirst()

export const deletePrompt = async (db: Db, actor: Actor, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('prompts')
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
