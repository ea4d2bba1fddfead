/** All SQL for `reply_tasks`. */
import { can } from '@chancery/contract/abilities.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { databaseNow, leaseEnd } from '#kernel/db/leases.ts'
import type { Actor } from '#kernel/http/actor.ts'

export interface ReplyTask {
  id: string
  chatId: string
  messageId: string
  userId: string
}

const facts = ['id', 'chatId', 'messageId', 'userId'] as const

/** Returns false while another reply is being written into the same message. */
export const insertTaskUnscoped = async (tx: Db, task: ReplyTask & { nodeId: string; at: Date }): Promise<boolean> => {
  const { at, ...rest } = task
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('replyTasks')
    .values({ ...rest, beatAt: databaseNow, startedAt: at })
    .onConflict((conflict) => conflict.columns(['chatId', 'messageId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const deleteTaskUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('replyTasks').where('id', '=', id).execute()
}

/** Returns the ids that still exist; this node has lost the others. */
export const renewHeartbeatsUnscoped = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const renewed = db.updateTable('replyTasks').set({ beatAt: databaseNow }).where('id', 'in', ids)
  const rows = await renewed.returning('id').execute()
  return new Set(rows.map(({ id }) => id))
}

export const anyStaleTaskUnscoped = (silentMs: number) =>
  sql<boolean>`exists (select from reply_tasks where beat_at < ${leaseEnd(-silentMs)})`

/** Silent for so long. Locked until the transaction ends, so that only one node ends a reply. */
export const lockStaleTasksUnscoped = (tx: Db, silentMs: number): Promise<ReplyTask[]> =>
  tx
    .selectFrom('replyTasks')
    .select(facts)
    .where('beatAt', '<', leaseEnd(-silentMs))
    .orderBy('beatAt')
    .limit(50)
    .forUpdate()
    .skipLocked()
    .execute()

/** The caller's own task; a platform admin finds everybody's. */
export const findTask = (db: Db, actor: Actor, id: string): Promise<ReplyTask | undefined> =>
  db
    .selectFrom('replyTasks')
    .select(facts)
    .where('id', '=', id)
    .$if(!can(actor, 'stop-any-reply'), (query) => query.where('userId', '=', actor.id))
    .executeTakeFirst()

export const listTasks = (db: Db, actor: Actor, chatId: string): Promise<ReplyTask[]> =>
  db
    .selectFrom('replyTasks')
    .select(facts)
    .where('chatId', '=', chatId)
    .where('userId', '=', actor.id)
    .orderBy('startedAt')
    .execute()

export const hasTask = async (db: Db, actor: Actor, ref: { chatId: string; messageId: string }): Promise<boolean> => {
  const row = await db
    .selectFrom('replyTasks')
    .select('id')
    .where('chatId', '=', ref.chatId)
    .where('messageId', '=', ref.messageId)
    .where('userId', '=', actor.id)
    .executeTakeFirst()
  return row !== undefined
}
