/** All SQL for `event_dead_letters`. */

import { can } from '@chancery/contract/abilities.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { EventDeadLettersTable } from '../tables.ts'

export type DeadLetterRow = EventDeadLettersTable

/** An event may fail for several tenants, each in its own turn; it is dead once. */
export const insertDeadLetterUnscoped = (tx: Db, row: DeadLetterRow) =>
  tx
    .insertInto('eventDeadLetters')
    .values(row)
    .onConflict((conflict) => conflict.column('eventId').doNothing())
    .execute()

/** Those of the actor's scope; platform admins see all of them. */
const visible = (db: Db, actor: Actor) => {
  const all = db.selectFrom('eventDeadLetters')
  return can(actor, 'see-all-dead-letters') ? all : all.where('scopeId', '=', scopeOf(actor))
}

export const listDeadLetters = (db: Db, actor: Actor, page: Page) =>
  fetchPage(db, visible(db, actor), page, {
    select: (query) => query.selectAll().orderBy('failedAt', 'desc').orderBy('id', 'desc'),
  })

/** Locked, so that when two requests race to retry or discard it, only one does. */
export const lockDeadLetter = (tx: Db, actor: Actor, id: string): Promise<DeadLetterRow | undefined> =>
  visible(tx, actor).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const deleteDeadLetterUnscoped = (tx: Db, id: string) =>
  tx.deleteFrom('eventDeadLetters').where('id', '=', id).execute()
