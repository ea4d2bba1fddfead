/**
 * Which chats a search finds: those that its words lead to by an index, or, where they lead to too many, the newest that
 * hold them. Either way it reads so much and no more, however many chats there are.
 */
import { type RawBuilder, sql } from 'kysely'
import type { SearchDb } from '#kernel/db/searches.ts'
import { containing, hasText, markOf } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type SearchWords, unspacedRanges } from '../search/search-words.ts'
import { hasTag } from './lists.ts'

type Owner = Pick<Actor, 'id'>

/** Words that lead to more titles or messages are common. */
const mostFound = 2000
/** So many chats are read before anything is looked up. */
const firstLook = 200
/** Common words are looked for in the titles of so many chats, the newest, and in the messages of so many. */
const newestTitles = 5000
const newestMessages = 2000

export interface LookedUp {
  ids: readonly string[]
  /** So many chats were read for them. */
  looked?: number
  /** They were looked for among the newest chats only, from the first to the one that changed then. */
  searchedTo?: Date
}

const tsquery = (words: SearchWords) => sql`to_tsquery('simple', ${words.query})`

const unspacedClass = sql.lit(`[${unspacedRanges}]`)

/**
 * Which messages hold every word. The pairs of characters find the messages by index, the text itself decides; a word of
 * one character has no pair and is looked for in all of the caller's messages.
 */
export const holdsWords = (words: SearchWords): RawBuilder<unknown> => {
  const isIndexed = sql`(done or role = 'user') and content ~ ${unspacedClass}`
  const anywhere = words.unspaced.map(
    (word) => sql`${isIndexed} and unspaced_pairs(content) @> unspaced_pairs(${word})
      and left(content, 100000) ilike ${containing(word)}`,
  )
  const conditions = [...(words.query === '' ? [] : [sql`search @@ ${tsquery(words)}`]), ...anywhere]
  return conditions.length === 0 ? sql`false` : sql.join(conditions, sql` and `)
}

/**
 * By the index of the owner's words, which knows no phrases: the words themselves decide. The owner is asked for in a way
 * that leads to no index, or PostgreSQL would read all that they have beside it.
 */
const foundByIndex = ({ id }: Owner, { spaced }: SearchWords): RawBuilder<unknown> =>
  spaced.length === 0
    ? sql`user_id = ${id}`
    : sql`(user_id = ${id}) is true and (done or role = 'user') and marked_words(right(user_id::text, 8), search)
        @@ marked_query(${markOf(id)}, ${spaced.slice(0, -1).join(' ')}, ${spaced.at(-1)})`

/** A title holds the text as it was typed, or its words in any order. */
const isInTitle = (words: SearchWords): RawBuilder<unknown> =>
  words.unspaced.length > 0 || words.query === ''
    ? sql`title ilike ${containing(words.text)}`
    : sql`(title ilike ${containing(words.text)} or to_tsvector('simple', title) @@ ${tsquery(words)})`

export interface Narrowing {
  words: SearchWords
  /** The chats that have the tags of the words, where these are few. */
  tagged?: readonly string[] | undefined
}

const narrowing = (owner: Owner, { words, tagged }: Narrowing): RawBuilder<unknown>[] => [
  sql`user_id = ${owner.id}`,
  sql`archived = ${words.archived ?? false}`,
  ...(words.pinned === undefined ? [] : [sql`pinned = ${words.pinned}`]),
  ...(tagged ? [sql`id = any(${tagged}::uuid[])`] : words.tags.map((tag) => hasTag(owner, tag).byReading)),
  ...words.folders.map(
    (name) =>
      sql`folder_id in (select id from chat_folders where user_id = ${owner.id} and lower(name) = lower(${name}))`,
  ),
]

/** The chats that the search looks at beside its words. */
export const narrowed = (owner: Owner, by: Narrowing): RawBuilder<unknown> => sql.join(narrowing(owner, by), sql` and `)

const newest = (owner: Owner, by: Narrowing, count: number) => sql`(
  select id, title, updated_at from chats where ${narrowed(owner, by)}
  order by updated_at desc, id desc limit ${sql.lit(count)}) as newest`

const idsOf = async (db: SearchDb, query: RawBuilder<unknown>): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`${query}`.execute(db)
  return rows.map(({ id }) => id)
}

interface Wanted extends Narrowing {
  /** So many are enough where the words are common. */
  enough: number
}

/** The newest chats that match, of so many. */
type Reading = (count: number) => RawBuilder<unknown>

interface Ways {
  byReading: Reading
  /** By the index, or undefined where the words have none. */
  byIndex: RawBuilder<unknown> | undefined
  /** So many chats are read at most. */
  most: number
}

/** Most common words are met often enough at once; those that aren't are looked up, and read for if they are common after all. */
const lookUp = async (db: SearchDb, enough: number, { byReading, byIndex, most }: Ways): Promise<LookedUp> => {
  const first = await idsOf(db, sql`${byReading(firstLook)} limit ${enough}`)
  if (first.length >= enough) return { ids: first }
  const found = byIndex && (await idsOf(db, sql`${byIndex} limit ${sql.lit(mostFound + 1)}`))
  if (found && found.length <= mostFound) return { ids: [...new Set(found)] }
  return { ids: await idsOf(db, sql`${byReading(most)} limit ${enough}`), looked: most }
}

/** The chats that have all tags of the words; undefined where they are many, or no tag is asked for. */
export const lookUpTags = async (db: SearchDb, actor: Owner, { tags }: SearchWords): Promise<string[] | undefined> => {
  if (tags.length === 0) return undefined
  const conditions = tags.map((tag) => hasTag(actor, tag).byIndex)
  const found = await idsOf(
    db,
    sql`select id from chats where ${sql.join(conditions, sql` and `)} limit ${sql.lit(mostFound + 1)}`,
  )
  return found.length <= mostFound ? found : undefined
}

export const lookUpTitles = async (db: SearchDb, actor: Owner, wanted: Wanted): Promise<LookedUp> => {
  const { words, enough } = wanted
  const trigrams = sql`trigrams(right(user_id::text, 8), title)`
  const parts = [...words.spaced, ...words.unspaced].filter((word) => [...word].length >= 3)
  const led = parts.map((text) => hasText(text, { columns: ['title'], trigrams, mark: markOf(actor.id) }).byIndex)
  const conditions = [sql`user_id = ${actor.id}`, ...led, isInTitle(words)]
  const found = await lookUp(db, enough, {
    byReading: (count) => sql`
      select id from ${newest(actor, wanted, count)} where ${isInTitle(words)} order by updated_at desc, id desc`,
    byIndex:
      led.length === 0
        ? undefined
        : sql`select chat_id as id from chat_search where ${sql.join(conditions, sql` and `)}`,
    most: newestTitles,
  })
  return withEnd(db, found, { ...wanted, owner: actor })
}

export const lookUpMessages = async (db: SearchDb, actor: Owner, wanted: Wanted): Promise<LookedUp> => {
  const { words, enough } = wanted
  const found = await lookUp(db, enough, {
    byReading: (count) => sql`
      select newest.id from ${newest(actor, wanted, count)} cross join lateral (
        select from chat_messages where chat_id = newest.id and ${holdsWords(words)} limit 1
      ) as hit order by newest.updated_at desc, newest.id desc`,
    byIndex: sql`select chat_id as id from chat_messages
      where ${foundByIndex(actor, words)} and ${holdsWords(words)}`,
    most: newestMessages,
  })
  return withEnd(db, found, { ...wanted, owner: actor })
}

/** Where too few were found among those that were read, and there are older ones. */
const withEnd = async (
  db: SearchDb,
  found: LookedUp,
  { owner, ...wanted }: Wanted & { owner: Owner },
): Promise<LookedUp> => {
  if (found.looked === undefined || found.ids.length >= wanted.enough) return found
  const { rows } = await sql<{ updatedAt: Date }>`
    select updated_at from ${newest(owner, wanted, found.looked)} offset ${sql.lit(found.looked - 1)}`.execute(db)
  return { ...found, ...(rows[0] && { searchedTo: rows[0].updatedAt }) }
}
