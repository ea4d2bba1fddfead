/** Full text over titles and messages, the caller's own only. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { containing, type Page } from '#kernel/db/paging.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SearchHit } from '../face.ts'
import type { SearchWords } from '../search-words.ts'
import type { ChatRow } from './chats.ts'
import { hasTag } from './lists.ts'

export type FoundChat = Pick<
  ChatRow,
  'id' | 'title' | 'createdAt' | 'updatedAt' | 'archived' | 'pinned' | 'folderId' | 'tags'
> & { snippet: string | null }

const headline = 'StartSel=«, StopSel=», MaxWords=20, MinWords=8, MaxFragments=1'
const snippet = (query: RawBuilder<unknown>) => sql`ts_headline('simple', left(content, 100000), ${query}, ${headline})`

const conditions = (actor: Actor, words: SearchWords, query: RawBuilder<unknown>): RawBuilder<unknown>[] => [
  sql`user_id = ${actor.id}`,
  sql`archived = ${words.archived ?? false}`,
  ...(words.pinned === undefined ? [] : [sql`pinned = ${words.pinned}`]),
  ...words.tags.map(hasTag),
  ...words.folders.map(
    (name) =>
      sql`folder_id in (select id from chat_folders where user_id = ${actor.id} and lower(name) = lower(${name}))`,
  ),
  ...(words.text === ''
    ? []
    : [
        sql`(title ilike ${containing(words.text)} or search @@ ${query} or id in (
          select chat_id from chat_messages where user_id = ${actor.id} and search @@ ${query}
        ))`,
      ]),
]

/** Newest first, each with a passage of its latest message that matches. */
export const searchChats = async (
  db: Db,
  actor: Actor,
  { words, page }: { words: SearchWords; page: Page },
): Promise<{ items: FoundChat[]; total: number }> => {
  const query = sql`to_tsquery('simple', ${words.query})`
  const matching = sql.join(conditions(actor, words, query), sql` and `)
  const items = sql<FoundChat>`
    select page.*, hit.snippet from (
      select id, title, created_at, updated_at, archived, pinned, folder_id, tags from chats where ${matching}
      order by updated_at desc, id desc limit ${page.limit} offset ${(page.page - 1) * page.limit}
    ) as page left join lateral (
      select ${snippet(query)} as snippet from (
        select content from chat_messages
        where chat_id = page.id and search @@ ${query} order by position desc limit 1
      ) as latest
    ) as hit on true
    order by updated_at desc, id desc`
  const count = sql<{ total: number }>`select count(*) as total from chats where ${matching}`
  const [found, counted] = await Promise.all([items.execute(db), count.execute(db)])
  return { items: found.rows, total: counted.rows[0]?.total ?? 0 }
}

export const searchMessages = async (
  db: Db,
  actor: Actor,
  { words, limit }: { words: SearchWords; limit: number },
): Promise<SearchHit[]> => {
  const query = sql`to_tsquery('simple', ${words.query})`
  const { rows } = await sql<SearchHit>`
    select hit.chat_id, chats.title, hit.id as message_id, ${snippet(query)} as snippet
    from (
      select chat_id, id, content, timestamp_sec from chat_messages
      where user_id = ${actor.id} and search @@ ${query}
      order by timestamp_sec desc, position desc limit ${limit}
    ) as hit join chats on chats.id = hit.chat_id and not chats.archived
    order by hit.timestamp_sec desc`.execute(db)
  return rows
}
