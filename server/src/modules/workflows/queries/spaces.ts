/** All SQL for spaces and their members. Only its members and the scope's reviewers see a space that has members. */
import { can } from '@chancery/contract/abilities.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SpacesTable } from '../tables.ts'

export type SpaceRow = Selectable<SpacesTable> & { memberIds: string[] }

const visible = (db: Db, actor: Actor) => {
  const inScope = db.selectFrom('spaces').where('scopeId', '=', scopeOf(actor))
  if (can(actor, 'see-all-spaces')) return inScope
  return inScope.where((where) =>
    where.or([
      where.not(where.exists(where.selectFrom('spaceMembers').whereRef('spaceId', '=', 'spaces.id'))),
      where.exists(
        where.selectFrom('spaceMembers').whereRef('spaceId', '=', 'spaces.id').where('userId', '=', actor.id),
      ),
    ]),
  )
}

const memberIds = sql<string[]>`array(select user_id::text from space_members where space_id = spaces.id order by 1)`

export const listSpaces = (db: Db, actor: Actor, { search, ...page }: Page & { search?: string | undefined }) => {
  return fetchPage(db, visible(db, actor), page, {
    select: (query) => query.selectAll().select(memberIds.as('memberIds')).orderBy('name').orderBy('id'),
    search: search ? hasText(search, { columns: ['name'] }) : undefined,
  })
}

export const findSpace = (db: Db, actor: Actor, id: string): Promise<SpaceRow | undefined> =>
  visible(db, actor).selectAll().select(memberIds.as('memberIds')).where('id', '=', id).executeTakeFirst()

export const lockSpace = (tx: Db, actor: Actor, id: string) =>
  visible(tx, actor).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertSpaceUnscoped = async (tx: Db, space: Insertable<SpacesTable>): Promise<void> => {
  await tx.insertInto('spaces').values(space).execute()
}

export const updateSpaceUnscoped = async (tx: Db, id: string, change: Updateable<SpacesTable>): Promise<void> => {
  await tx.updateTable('spaces').set(change).where('id', '=', id).execute()
}

export const replaceSpaceMembersUnscoped = async (
  tx: Db,
  spaceId: string,
  userIds: readonly string[],
): Promise<void> => {
  await tx.deleteFrom('spaceMembers').where('spaceId', '=', spaceId).execute()
  if (userIds.length === 0) return
  await tx
    .insertInto('spaceMembers')
    .values(userIds.map((userId) => ({ spaceId, userId })))
    .execute()
}

export const deleteSpaceUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('spaces').where('id', '=', id).execute()
}
