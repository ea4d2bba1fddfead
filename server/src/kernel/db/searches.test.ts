import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { createDb } from './database.ts'
import { createSearch, type SearchDb } from './searches.ts'

const database = await cloneDatabase()
const pool = database.openPool(6)
const db = createDb(pool)
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
const search = createSearch({ db, limitMs: 300 })
const by = (organizationId: string) => ({ id: 'somebody', organizationId })
const sleep = (seconds: number) => (tx: SearchDb) => sql`select pg_sleep(${seconds})`.execute(tx)

describe('a search', () => {
  it('that takes too long ends, and says so', async () => {
    await expect(search(by('slow'), sleep(30))).rejects.toMatchObject({ code: 'search_too_slow' })
  })

  it('of one organization takes one connection, however many it sends', async () => {
    const greedy = Promise.allSettled(Array.from({ length: 30 }, () => search(by('greedy'), sleep(0.02))))
    const busy: number[] = []
    await search(by('other'), async () => void busy.push(pool.totalCount - pool.idleCount))
    expect(busy).toEqual([2])
    expect(new Set((await greedy).map(({ status }) => status))).toEqual(new Set(['fulfilled']))
  })

  it('of an organization that keeps too many waiting is refused', async () => {
    const sent = await Promise.allSettled(Array.from({ length: 40 }, () => search(by('flood'), sleep(0.01))))
    const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(new Set(refused)).toEqual(new Set(['too_many_requests']))
    expect(sent.length - refused.length).toBe(31)
  })
})
