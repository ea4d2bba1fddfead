/** Search in titles and messages, the caller's own only. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import type { SearchDb } from '#kernel/db/searches.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SearchHit } from '../interface.ts'
import type { SearchWords } from '../search/search-words.ts'
import type { ChatRow } from './chats.ts'
import { itemColumns } from './lists.ts'
import {
  holdsWords,
  type LookedUp,
  lookUpMessages,
  lookUpTags,
  lookUpTitles,
  type Narrowing,
  narrowed,
} from './look-up.ts'

export type FoundChat = Pick<
  ChatRow,
  'id' | 'title' | 'createdAt' | 'updatedAt' | 'archived' | 'pinned' | 'folderId' | 'tags'
> & { snippet: string | null }

const headline = 'StartSel=«, StopSel=», MaxWords=20, MinWords=8, MaxFragments=1'

/** The passage that matched. A word of an unspaced script is cut out with some characters around it. */
const snippet = (words: SearchWords): RawBuilder<unknown> => {
  const [word] = words.unspaced
  if (word === undefined)
    return sql`ts_headline('simple', left(content, 100000), to_tsquery('simple', ${words.query}), ${headline})`
  const at = sql`strpos(lower(content), lower(${word}))`
  const length = sql.lit(word.length)
  return sql`concat(substr(content, greatest(${at} - 40, 1), least(${at} - 1, 40)), '«', substr(content, ${at}, ${length}),
    '»', substr(content, ${at} + ${length}, 60))`
}

export interface FoundChats {
  items: FoundChat[]
  total: number
  searchedTo: Date | undefined
}

const nothing: LookedUp = { ids: [] }

/**
 * Those whose title matches first, then newest first, each with a passage of its latest message that matches. Where words
 * are common, the total is one more than the pages so far hold, as long as there are more.
 */
export const searchChats = async (
  db: SearchDb,
  actor: Actor,
  { words, page }: { words: SearchWords; page: Page },
): Promise<FoundChats> => {
  const tagged = await lookUpTags(db, actor, words)
  if (words.text === '') return listNarrowed(db, actor, { words, tagged, page })
  const wanted = { words, tagged, enough: page.page * page.limit + 1 }
  const titles = await lookUpTitles(db, actor, wanted)
  const isFull = titles.ids.length >= wanted.enough && titles.searchedTo === undefined
  const messages = isFull ? nothing : await lookUpMessages(db, actor, wanted)
  const ids = [...new Set([...titles.ids, ...messages.ids])]
  const { rows } = await sql<FoundChat & { total: number }>`
    with matching as materialized (
      select id, title, created_at, updated_at, archived, pinned, folder_id, tags,
        id = any(${titles.ids}::uuid[]) as is_in_title
      from chats where id = any(${ids}::uuid[]) and ${narrowed(actor, wanted)}
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
  return {
    items: rows.filter(({ id }) => id !== null),
    total: rows[0]?.total ?? 0,
    searchedTo: messages.searchedTo ?? titles.searchedTo,
  }
}

const listNarrowed = async (
  db: SearchDb,
  actor: Actor,
  { page, ...narrowing }: Narrowing & { page: Page },
): Promise<FoundChats> => {
  const matching = db.selectFrom('chats').where(sql<SqlBool>`${narrowed(actor, narrowing)}`)
  const found = await fetchPage(db, matching, page, {
    select: (query) =>
      query
        .select([...itemColumns, sql<null>`null`.as('snippet')])
        .orderBy('updatedAt', 'desc')
        .orderBy('id', 'desc'),
  })
  return { ...found, searchedTo: undefined }
}

export const searchMessages = async (
  db: SearchDb,
  actor: Actor,
  { words, limit }: { words: SearchWords; limit: number },
): Promise<SearchHit[]> => {
  const { ids } = await lookUpMessages(db, actor, { words, enough: limit })
  const { rows } = await sql<SearchHit>`
    select hit.chat_id, chats.title, hit.id as message_id, ${snippet(words)} as snippet
    from (
      select chat_id, coalesce(spelling, id::text) as id, content, timestamp_sec from chat_messages
      where chat_id = any(${ids}::uuid[]) and ${holdsWords(words)}
      order by timestamp_sec desc, position desc limit ${limit}
    ) as hit join chats on chats.id = hit.chat_id and not chats.archived
    order by hit.timestamp_sec desc`.execute(db)
  return rows
}
