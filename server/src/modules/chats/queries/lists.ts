/** Lists and deletes the caller's chats. Message bodies are never read here. */
import { type SqlBool, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import { totalsByName } from '#kernel/db/running-totals.ts'
import { markOf, type Search } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'

export const itemColumns = ['id', 'title', 'createdAt', 'updatedAt', 'archived', 'pinned', 'folderId', 'tags'] as const

/** Ignores case. */
export const hasTag = (actor: Pick<Actor, 'id'>, tag: string): Search => ({
  byIndex: sql<SqlBool>`id in (
    select chat_id from chat_search where user_id = ${actor.id}
    and marked_tags(right(user_id::text, 8), tags) @> array[${markOf(actor.id)} || lower(${tag})])`,
  byReading: sql<SqlBool>`exists (select from unnest(tags) as tag where lower(tag) = lower(${tag}))`,
})

/** A link that the caller made in another organization is closed. */
const isPublic = ({ organizationId }: Actor) =>
  sql<boolean>`exists (
    select from chat_shares
    where chat_id = chats.id and public_token is not null and public_organization_id = ${organizationId}::uuid
  )`

interface Filter extends Page {
  pinned?: boolean | undefined
  archived?: boolean | undefined
  folderId?: string | undefined
  tag?: string | undefined
  shared?: boolean | undefined
}

/** Newest first. Archived chats come only when they are asked for, or with all that are shared: their links still work. */
export const listChats = (db: Db, actor: Actor, filter: Filter) => {
  const { pinned, shared, archived = shared ? undefined : false, folderId, tag } = filter
  let matching = db.selectFrom('chats').where('userId', '=', actor.id)
  if (archived !== undefined) matching = matching.where('archived', '=', archived)
  if (shared !== undefined) matching = matching.where('shareId', shared ? 'is not' : 'is', null)
  if (pinned !== undefined) matching = matching.where('pinned', '=', pinned)
  if (folderId !== undefined) matching = matching.where('folderId', '=', folderId)
  return fetchPage(db, matching, filter, {
    select: (query) =>
      query
        .select(itemColumns)
        .$if(shared === true, (select) => select.select(isPublic(actor).as('isPublic')))
        .orderBy('updatedAt', 'desc')
        .orderBy('id', 'desc'),
    search: tag === undefined ? undefined : hasTag(actor, tag),
  })
}

/** Counts the chats with each tag, archived ones left out. */
export const listTags = async (db: Db, actor: Actor): Promise<{ name: string; chatCount: number }[]> => {
  const { rows } = await sql<{ name: string; chatCount: number }>`
    select min(name) as name, sum(amount)::int8 as chat_count
    from ${totalsByName({ kind: 'chat_tags', ownerId: actor.id })} as tags
    group by lower(name) order by lower(name) limit 1000`.execute(db)
  return rows
}

export const listChatIds = async (db: Db, actor: Actor): Promise<string[]> =>
  (await db.selectFrom('chats').select('id').where('userId', '=', actor.id).execute()).map(({ id }) => id)

/** Returns the ids that existed. Messages and shares are deleted with them. */
export const deleteChats = async (db: Db, actor: Actor, ids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .deleteFrom('chats')
    .where('userId', '=', actor.id)
    .where(isAmong('id', ids))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The next chats after this id, oldest first. */
export const listIdsAfter = async (db: Db, actor: Actor, after: { id: string; limit: number }): Promise<string[]> => {
  const rows = await db
    .selectFrom('chats')
    .select('id')
    .where('userId', '=', actor.id)
    .where('id', '>', after.id)
    .orderBy('id')
    .limit(after.limit)
    .execute()
  return rows.map(({ id }) => id)
}
