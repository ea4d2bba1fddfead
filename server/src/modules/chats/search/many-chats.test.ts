import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { createDb } from '#kernel/db/database.ts'
import type { SearchDb } from '#kernel/db/searches.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { createRowCounter } from '#test/harness/rows-read.ts'
import { listChats, listTags } from '../queries/lists.ts'
import { searchChats } from '../queries/search.ts'
import { readSearch } from './search-words.ts'

const chats = 12_000
const database = await cloneDatabase()
const pool = database.openPool(1)
const db = createDb(pool)
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
const [ana, bob] = ['019a0000-0000-7000-8000-00000000a0a0', '019a0000-0000-7000-8000-00000000b0b0']
for (const [id, count] of [
  [ana, chats],
  [bob, 3000],
] as const) {
  await sql`
    insert into users (id, name, email, role, created_at) values (${id}, 'X', ${`${id}@test`}, 'ROLE_USER', now())`.execute(
    db,
  )
  await sql`
    insert into chats (id, user_id, title, timestamp_ms, created_at, updated_at, pinned, tags)
    select gen_random_uuid(), ${id}, 'Weekly report ' || n, 1, now(), now() - n * interval '1 minute', n % 1000 = 0,
      array['All', case when n % 1000 = 0 then 'Few' else 'Others' end]
    from generate_series(1, ${count}::int) as n`.execute(db)
}
await sql`
  insert into chat_messages (chat_id, id, user_id, role, content, timestamp_sec)
  select id, gen_random_uuid(), user_id, 'user',
    'common words' || case when right(title, 3) = '999' then ' seldom' else '' end
      || case when updated_at < now() - interval '8000 minutes' then ' formerly' else '' end, 1
  from chats`.execute(db)
await sql`vacuum analyze`.execute(db)

const rowsRead = createRowCounter(pool)
const actor = { id: ana, organizationId: null } as Actor
const page = { page: 1, limit: 30 }
const search = (text: string) => searchChats(db as SearchDb, actor, { words: readSearch(text), page })
const readToSearch = (text: string) =>
  rowsRead((on) => searchChats(on as SearchDb, actor, { words: readSearch(text), page }))
const readToList = (filter: object) => rowsRead((on) => listChats(on, actor, { ...page, ...filter }))

describe('a search in thousands of chats', () => {
  it.each([
    ['common', 'Weekly report 1', 31],
    ['weekly', 'Weekly report 1', 31],
    ['seldom', 'Weekly report 999', 12],
    ['report 11998', 'Weekly report 11998', 1],
    ['common seldom', 'Weekly report 999', 12],
    ['nowhere', undefined, 0],
  ])('reads no more than the newest and what it finds: %s', async (text, first, total) => {
    const found = await search(text)
    expect(found.total).toBe(total)
    expect(found.items[0]?.title).toBe(first)
    expect(await readToSearch(text)).toBeLessThan(6000)
  })

  it('that narrows finds all', async () => {
    for (const text of ['pinned:true weekly', 'tag:few common'])
      expect(await search(text)).toMatchObject({ items: { length: 12 }, total: 12 })
    expect(await readToSearch('tag:few common')).toBeLessThan(chats + 3000)
  })

  it('says how far it looked where a word is common, but not among the newest', async () => {
    const found = await search('formerly')
    expect(found.items).toEqual([])
    expect(found.searchedTo?.getTime()).toBeLessThan(Date.now() - 1999 * 60_000)
    expect(await readToSearch('formerly')).toBeLessThan(30_000)
  })
})

describe('a list of thousands of chats', () => {
  it.each([
    ['pinned', { pinned: true }, 200],
    ['shared', { shared: true }, 50],
    ['archived', { archived: true }, 50],
    ['of a rare tag', { tag: 'few' }, 4000],
    ['of a tag that all have', { tag: 'all' }, 26_000],
    ['all', {}, 10_100],
  ])('reads what it counts and shows: %s', async (_name, filter, most) => {
    expect(await readToList(filter)).toBeLessThan(most)
  })
  it('has its tags counted without reading a chat', async () => {
    expect(await listTags(db, actor)).toEqual([
      { name: 'All', chatCount: chats },
      { name: 'Few', chatCount: 12 },
      { name: 'Others', chatCount: 11_988 },
    ])
    expect(await rowsRead((on) => listTags(on, actor))).toBeLessThan(50)
  })
})
