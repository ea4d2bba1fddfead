/** Search in titles and messages, the caller's own only. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { containing, type Page } from '#kernel/db/paging.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SearchHit } from '../interface.ts'
import { type SearchWords, unspacedRanges } from '../search/search-words.ts'
import type { ChatRow } from './chats.ts'
import { hasTag } from './lists.ts'

export type FoundChat = Pick<
  ChatRow,
  'id' | 'title' | 'createdAt' | 'updatedAt' | 'archived' | 'pinned' | 'folderId' | 'tags'
> & { snippet: string | null }

const headline = 'StartSel=«, StopSel=», MaxWords=20, MinWords=8, MaxFragments=1'

const tsquery = (words: SearchWords) => sql`to_tsquery('simple', ${words.query})`

/** The passage that matched. A word of an unspaced script is cut out with some characters around it. */
const snippet = (words: SearchWords): RawBuilder<unknown> => {
  const [word] = words.unspaced
  if (word === undefined) return sql`ts_headline('simple', left(content, 100000), ${tsquery(words)}, ${headline})`
  const at = sql`strpos(lower(content), lower(${word}))`
  const length = sql.lit(word.length)
  return sql`concat(substr(content, greatest(${at} - 40, 1), least(${at} - 1, 40)), '«', substr(content, ${at}, ${length}),
    '»', substr(content, ${at} + ${length}, 60))`
}

const unspacedClass = sql.lit(`[${unspacedRanges}]`)

/**
 * Which messages hold every word. The pairs of characters find the messages by index, the text itself decides; a word of
 * one character has no pair and is looked for in all of the caller's messages.
 */
const holdsWords = (words: SearchWords): RawBuilder<unknown> => {
  const inText = words.query === '' ? [] : [sql`search @@ ${tsquery(words)}`]
  const isIndexed = sql`(done or role = 'user') and content ~ ${unspacedClass}`
  const anywhere = words.unspaced.map(
    (word) => sql`${isIndexed} and unspaced_pairs(content) @> unspaced_pairs(${word})
      and left(content, 100000) ilike ${containing(word)}`,
  )
  const conditions = [...inText, ...anywhere]
  return conditions.length === 0 ? sql`false` : sql.join(conditions, sql` and `)
}

const conditions = (actor: Actor, words: SearchWords): RawBuilder<unknown>[] => [
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
        sql`(title ilike ${containing(words.text)}
          or ${words.unspaced.length === 0 ? sql`search @@ ${tsquery(words)}` : sql`false`}
          or id in (select chat_id from chat_messages where user_id = ${actor.id} and ${holdsWords(words)}))`,
      ]),
]

/** Those whose title matches first, then newest first, each with a passage of its latest message that matches. */
export const searchChats = async (
  db: Db,
  actor: Actor,
  { words, page }: { words: SearchWords; page: Page },
): Promise<{ items: FoundChat[]; total: number }> => {
  const matching = sql.join(conditions(actor, words), sql` and `)
  const inTitle = words.text === '' ? sql`true` : sql`title ilike ${containing(words.text)}`
  const items = sql<FoundChat>`
    select page.*, hit.snippet from (
      select id, title, created_at, updated_at, archived, pinned, folder_id, tags, ${inTitle} as is_in_title
      from chats where ${matching}
      order by is_in_title desc, updated_at desc, id desc limit ${page.limit} offset ${(page.page - 1) * page.limit}
    ) as page left join lateral (
      select ${snippet(words)} as snippet from (
        select content from chat_messages
        where chat_id = page.id and ${holdsWords(words)} order by position desc limit 1
      ) as latest
    ) as hit on true
    order by is_in_title desc, updated_at desc, id desc`
  const count = sql<{ total: number }>`select count(*) as total from chats where ${matching}`
  const [found, counted] = await Promise.all([items.execute(db), count.execute(db)])
  return { items: found.rows, total: counted.rows[0]?.total ?? 0 }
}

export const searchMessages = async (
  db: Db,
  actor: Actor,
  { words, limit }: { words: SearchWords; limit: number },
): Promise<SearchHit[]> => {
  const { rows } = await sql<SearchHit>`
    select hit.chat_id, chats.title, hit.id as message_id, ${snippet(words)} as snippet
    from (
      select chat_id, coalesce(spelling, id::text) as id, content, timestamp_sec from chat_messages
      where user_id = ${actor.id} and ${holdsWords(words)}
      order by timestamp_sec desc, position desc limit ${limit}
    ) as hit join chats on chats.id = hit.chat_id and not chats.archived
    order by hit.timestamp_sec desc`.execute(db)
  return rows
}
