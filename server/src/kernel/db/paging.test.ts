import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { createRowCounter } from '#test/harness/rows-read.ts'
import { listAuditUnscoped, readAuditUnscoped } from '../audit/audit.ts'
import { createDb } from './database.ts'

const rows = 40_000
const database = await cloneDatabase()
const pool = database.openPool(1)
const db = createDb(pool)
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
await sql`drop index audit_log_text`.execute(db)
await sql`
  insert into audit_log (id, at, action, actor_kind, actor_name)
  select gen_random_uuid(), now() - n * interval '1 second',
    case when n % 1000 = 0 then 'rare.thing' else 'account.login' end, 'user', 'Person ' || n
  from generate_series(1, ${rows}::int) as n`.execute(db)
await sql`create index audit_log_text on audit_log
  using gin (trigrams('', action || E'\\n' || coalesce(actor_name, '')))`.execute(db)
await sql`analyze audit_log`.execute(db)

type AuditFilter = Parameters<typeof listAuditUnscoped>[1]
const rowsRead = createRowCounter(pool)
const list = (filter: Partial<AuditFilter>) => listAuditUnscoped(db, { page: 1, limit: 50, ...filter })
const readFor = (filter: Partial<AuditFilter>) =>
  rowsRead((on) => listAuditUnscoped(on, { page: 1, limit: 50, ...filter }))

describe('a page of a long list', () => {
  it('counts up to ten thousand rows, and says on each page that there are more', async () => {
    expect((await list({})).total).toBe(10_001)
    expect((await list({ page: 300 })).total).toBe(15_001)
    expect(await list({ page: 800 })).toMatchObject({ items: { length: 50 }, total: rows })
    expect(await list({ page: 801 })).toMatchObject({ items: [], total: 40_051 })
    expect((await list({ area: 'rare' })).total).toBe(40)
  })

  it('reads what it counts and shows', async () => {
    expect(await readFor({})).toBeLessThan(10_100)
    expect(await readFor({ area: 'rare' })).toBeLessThan(200)
    for (const sort of ['action', '-actor', 'ip'] as const) expect(await readFor({ sort })).toBeLessThan(10_100)
  })
})

describe('a search in a long list', () => {
  it('finds the same, however it looks', async () => {
    expect(await list({ search: 'Person 39999' })).toMatchObject({ items: [{ actorName: 'Person 39999' }], total: 1 })
    expect(await list({ search: 'RARE' })).toMatchObject({ items: { length: 40 }, total: 40 })
    expect((await list({ person: 'person 1' })).items.map(({ actorName }) => actorName).slice(0, 3)).toEqual([
      'Person 1',
      'Person 10',
      'Person 11',
    ])
    expect((await list({ search: 'login', page: 2 })).items[0]).toMatchObject({ actorName: 'Person 51' })
    expect((await list({ person: '%' })).total).toBe(0)
  })

  it.each<[string, Partial<AuditFilter>]>([
    ['a text that few rows hold', { search: 'Person 39999' }],
    ['a name that few rows hold', { person: 'son 3999', search: 'login' }],
    ['a text that nothing holds', { search: 'nowhere to be found' }],
  ])('reads little for %s', async (_name, filter) => {
    expect(await readFor(filter)).toBeLessThan(6000)
  })

  it('reads for a text that nearly every row holds what it counts and shows', async () => {
    expect(await readFor({ search: 'login' })).toBeLessThan(17_000)
  })
})

describe('a list that is read whole', () => {
  it('has each row once, in its order, though others are added meanwhile, and reads each once', async () => {
    const read: (string | null)[] = []
    const readAll = async (on: typeof db) => {
      for await (const portion of readAuditUnscoped(on, {})) {
        if (read.length === 0)
          await sql`
            insert into audit_log (id, at, action, actor_kind) values (gen_random_uuid(), now(), 'a.b', 'user')`.execute(
            db,
          )
        read.push(...portion.map(({ actorName }) => actorName))
      }
    }
    expect(await rowsRead(readAll)).toBeLessThan(rows * 1.1)
    expect(read).toEqual(Array.from(read, (_, at) => `Person ${at + 1}`))
    expect(read).toHaveLength(rows)
    await sql`delete from audit_log where action = 'a.b'`.execute(db)
  })

  it('looks up what few rows hold, and reads for what most hold', async () => {
    const first = async (on: typeof db, search: string) => (await readAuditUnscoped(on, { search }).next()).value ?? []
    expect(await first(db, 'rare')).toHaveLength(40)
    expect(await rowsRead((on) => first(on, 'Person 3999'))).toBeLessThan(1000)
    expect(await first(db, 'login')).toHaveLength(1000)
  })
})
