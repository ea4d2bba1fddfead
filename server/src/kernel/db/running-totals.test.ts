/** Bytes of files and documents, and chats by tag, whatever happens to them and whoever does it at once. */
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { createDb } from './database.ts'
import { splitStatements } from './migrations/split-statements.ts'
import { readTotal } from './running-totals.ts'

const database = await cloneDatabase()
const pool = database.openPool(3)
const db = createDb(pool)
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const people = ['019a0000-0000-7000-8000-00000000a0a0', '019a0000-0000-7000-8000-00000000b0b0']
const company = '019a0000-0000-7000-8000-00000000c0c0'
for (const id of people)
  await pool.query(
    `insert into users (id, name, email, role, created_at) values ($1::uuid, 'X', $1::uuid::text || '@test', 'ROLE_USER', now())`,
    [id],
  )

/** One of the people, or the company, or nobody: with `random()`, so that each row has another. */
const person = `(array['${people.join("','")}']::uuid[])[1 + floor(random() * 2)::int]`
const scope = `(array['${[...people, company].join("','")}']::uuid[])[1 + floor(random() * 3)::int]`
const maybeCompany = `case when random() < 0.5 then '${company}'::uuid end`
const tags = `(array['{}', '{paper}', '{paper,Paper,ink}', '{ink,ink}'])[1 + floor(random() * 4)::int]::text[]`
/** A few rows that no other transaction holds, so that two who change the same don't wait for each other in turn. */
const some = (table: string) =>
  `id = any(array(select id from ${table} order by random() limit 4 for update skip locked))`

const changes = [
  `insert into files (id, owner_kind, owner_id, organization_id, name, content_type, size, sha256, blob_key, state, created_at, updated_at)
   select gen_random_uuid(), case when random() < 0.8 then 'user' else 'admin' end, ${person}, ${maybeCompany}, 'x', 'x',
     (random() * 1000)::int, 'x', gen_random_uuid()::text, 'stored', now(), now() from generate_series(1, 5)`,
  `update files set size = (random() * 1000)::int where ${some('files')}`,
  `update files set state = 'completed' where ${some('files')}`,
  `update files set owner_id = ${person}, organization_id = ${maybeCompany} where ${some('files')}`,
  `delete from files where ${some('files')}`,
  `with document as (
     insert into signing_documents (id, kind, scope_id, owner_id, owner_name, owner_email, title, language, state,
       signing_order, email_otp, allow_delegation, audit_head, created_at, updated_at)
     values (gen_random_uuid(), 'DOCUMENT', ${scope}, '${company}', 'x', 'x', 'x', 'en', 'DRAFT', 'PARALLEL', false, false, '', now(), now())
     returning id
   ), original as (
     insert into signing_originals (id, blob_key, sha256, bytes, page_count, pages, created_at)
     values (gen_random_uuid(), gen_random_uuid()::text, 'x', (random() * 1000)::int, 1, '[]', now()) returning id
   )
   insert into signing_files (id, document_id, original_id, position, name, created_at)
   select gen_random_uuid(), document.id, original.id, 0, 'x', now() from document, original`,
  // A copy shares the original; nobody may be deleting it at this moment.
  `insert into signing_files (id, document_id, original_id, position, name, created_at)
   select distinct on (f.original_id) gen_random_uuid(), f.document_id, f.original_id, 1, 'x', now() from signing_files as f
   where f.original_id = any(array(select id from signing_originals limit 2 for update skip locked))`,
  `update signing_documents set scope_id = ${scope} where ${some('signing_documents')}`,
  `update signing_documents set sealed_bytes = (random() * 1000)::int, certificate_key = 'x', certificate_sha256 = 'x',
     certificate_bytes = (random() * 10)::int where ${some('signing_documents')}`,
  `with originals as (select id from signing_originals order by random() limit 1 for update skip locked),
     gone as (delete from signing_files where original_id in (select id from originals))
   delete from signing_originals where id in (select id from originals)`,
  `insert into chats (id, user_id, title, timestamp_ms, tags, archived, created_at, updated_at)
   select gen_random_uuid(), ${person}, 'x', 1, ${tags}, random() < 0.2, now(), now() from generate_series(1, 5)`,
  `update chats set tags = ${tags} where ${some('chats')}`,
  `update chats set archived = not archived where ${some('chats')}`,
  `update chats set user_id = ${person} where ${some('chats')}`,
  `delete from chats where ${some('chats')}`,
]

const someChanges = async (client: pg.PoolClient): Promise<void> => {
  for (let transactions = 0; transactions < 20; transactions += 1) {
    await client.query('begin')
    try {
      for (let change = 0; change < 5; change += 1)
        await client.query(changes[Math.floor(Math.random() * changes.length)] ?? '')
      await client.query(Math.random() < 0.25 ? 'rollback' : 'commit')
    } catch (problem) {
      // The other one was faster, or both waited for each other.
      expect(['23503', '40P01']).toContain((problem as pg.DatabaseError).code)
      await client.query('rollback')
    }
  }
}

const totals = async () => {
  const { rows } = await pool.query(`
    select kind, owner_id, name, sum(amount)::int8 as amount from running_totals
    group by kind, owner_id, name having sum(amount) <> 0 order by kind, owner_id, name`)
  return rows
}

const folder = new URL('../../../migrations/', import.meta.url)
const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('_first_totals.sql'))
const addAllUp = splitStatements(readFileSync(new URL(name, folder), 'utf8')).find(({ sql }) =>
  sql.includes('running_totals'),
)

describe('running totals', () => {
  it('are what adding everything up gives, after many changes at once, also when some are undone', async () => {
    const clients = [await pool.connect(), await pool.connect()]
    for (const client of clients) for (const change of changes) await client.query(change)
    await Promise.all(clients.map(someChanges))
    for (const client of clients) client.release()
    const kept = await totals()
    expect(kept.length).toBeGreaterThan(0)
    await pool.query(addAllUp?.sql ?? '')
    expect(kept).toEqual(await totals())
  })

  it('are read from few rows, however many changes there were', async () => {
    const ownerId = people[0] ?? ''
    for (let count = 0; count < 300; count += 1)
      await pool.query(`select add_to_running_totals('file_bytes', array[$1::uuid], array[''], array[1::bigint])`, [
        ownerId,
      ])
    const { rows } = await pool.query(
      `select count(*)::int as count from running_totals where owner_id = $1 and kind = 'file_bytes'`,
      [ownerId],
    )
    expect(rows[0].count).toBeLessThan(150)
    const before = await readTotal(db, { kind: 'file_bytes', ownerId })
    await pool.query(`select add_to_running_totals('file_bytes', array[$1::uuid], array[''], array[7::bigint])`, [
      ownerId,
    ])
    expect(await readTotal(db, { kind: 'file_bytes', ownerId })).toBe(before + 7)
  })
})
