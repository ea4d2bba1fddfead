/** Search in titles and messages, the caller's own only. */
import { type RawBuilder, sql } from 'kysely'
import { containing, type Page } from '#kernel/db/paging.ts'
import type { SearchDb } from '#kernel/db/searches.ts'
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

/** Words that more of the caller's messages hold are common: reading them all would take as long as all chats are. */
const maxMessages = 5000
/** A common word is looked for in so many chats, the newest. */
const maxNewest = 2000

const isCommon = async (db: SearchDb, actor: Actor, words: SearchWords): Promise<boolean> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from chat_messages where user_id = ${actor.id} and ${holdsWords(words)} limit ${maxMessages + 1}
    ) as found`.execute(db)
  return (rows[0]?.count ?? 0) > maxMessages
}

/** The chats with a message that holds the words, by id. `limit` keeps PostgreSQL from joining before it has looked. */
const chatsWithWords = (actor: Actor, words: SearchWords, common: boolean): RawBuilder<unknown> =>
  common
    ? sql`select newest.id from (
        select id from chats where user_id = ${actor.id} and archived = ${words.archived ?? false}
        order by updated_at desc, id desc limit ${maxNewest}
      ) as newest cross join lateral (
        select from chat_messages where chat_id = newest.id and ${holdsWords(words)} limit 1
      ) as hit`
    : sql`select distinct chat_id from (
        select chat_id from chat_messages where user_id = ${actor.id} and ${holdsWords(words)} limit ${maxMessages}
      ) as hits`

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
          or id in (select id from with_words))`,
      ]),
]

/** Those whose title matches first, then newest first, each with a passage of its latest message that matches. */
export const searchChats = async (
  db: SearchDb,
  actor: Actor,
  { words, page }: { words: SearchWords; page: Page },
): Promise<{ items: FoundChat[]; total: number }> => {
  const common = words.text !== '' && (await isCommon(db, actor, words))
  const withWords = words.text === '' ? sql`select null::uuid` : chatsWithWords(actor, words, common)
  const inTitle = words.text === '' ? sql`true` : sql`title ilike ${containing(words.text)}`
  const { rows } = await sql<FoundChat & { total: number }>`
    with with_words (id) as materialized (${withWords}),
    matching as materialized (
      select id, title, created_at, updated_at, archived, pinned, folder_id, tags, ${inTitle} as is_in_title
      from chats where ${sql.join(conditions(actor, words), sql` and `)}
    ), page as (
      select * from matching
      order by is_in_title desc, updated_at desc, id desc limit ${page.limit} offset ${(page.page - 1) * page.limit}
    )
    select page.*, hit.snippet, counted.total
    from (select count(*) as total from matching) as counted left join page on true left join lateral (
      select ${snippet(words)} as snippet from (
        select content from chat_messages
        where chat_id = page.id and ${holdsWords(words)} order by position desc limit 1
      ) as latest
    ) as hit on true
    order by is_in_title desc, updated_at desc, id desc`.execute(db)
  return { items: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 }
}

export const searchMessages = async (
  db: SearchDb,
  actor: Actor,
  { words, limit }: { words: SearchWords; limit: number },
): Promise<SearchHit[]> => {
  const common = await isCommon(db, actor, words)
  const { rows } = await sql<SearchHit>`
    with with_words (id) as materialized (${chatsWithWords(actor, words, common)})
    select hit.chat_id, chats.title, hit.id as message_id, ${snippet(words)} as snippet
    from (
      select chat_id, coalesce(spelling, id::text) as id, content, timestamp_sec from chat_messages
      where chat_id in (select id from with_words) and ${holdsWords(words)}
      order by timestamp_sec desc, position desc limit ${limit}
    ) as hit join chats on chats.id = hit.chat_id and not chats.archived
    order by hit.timestamp_sec desc`.execute(db)
  return rows
}
