import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { withMark } from '../loop-watch/mark.ts'
import { createDb, createPool } from './database.ts'

const database = await cloneDatabase()
const pool = database.openPool(8)
const db = createDb(pool)
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const by = <Result>(owner: string, work: () => Promise<Result>): Promise<Result> =>
  withMark({ what: 'GET /x', owner, isRequest: true }, work)
const statement = (owner: string, order: string[]) =>
  by(owner, async () => {
    await sql`select pg_sleep(0.02)`.execute(db)
    order.push(owner)
  })

describe('connections', () => {
  it('of one tenant are half of all, whatever it asks for', async () => {
    const { promise: end, resolve: open } = Promise.withResolvers<void>()
    const holding = Array.from({ length: 20 }, () => by('greedy', () => db.connection().execute(() => end)))
    await by('other', () => sql`select 1`.execute(db))
    expect(pool.totalCount - pool.idleCount).toBe(4)
    await Promise.all(['a', 'b'].map((owner) => by(owner, () => sql`select 1`.execute(db))))
    open()
    await Promise.all(holding)
  })

  it('go to others while a tenant has hundreds of statements waiting, and to all in the end', async () => {
    const order: string[] = []
    const greedy = Array.from({ length: 200 }, () => statement('greedy', order))
    await statement('other', order)
    expect(order.length).toBeLessThan(20)
    await Promise.all(greedy)
    expect(order).toHaveLength(201)
  })

  it('of many tenants at once are all handed out, one at least to each', async () => {
    const order: string[] = []
    const all = Array.from({ length: 120 }, (_, n) => statement(`tenant ${n % 30}`, order))
    await Promise.all(all)
    expect(new Set(order.slice(0, 40)).size).toBeGreaterThan(20)
  })

  it("for work that is nobody's request wait for none of this", async () => {
    const order: string[] = []
    const greedy = Array.from({ length: 50 }, () => statement('greedy', order))
    await AsyncLocalStorage.snapshot()(() => sql`select 1`.execute(db))
    expect(order.length).toBeLessThan(10)
    await Promise.all(greedy)
  })

  it('that were not to be had are not counted as held', async () => {
    const small = createPool({ connectionString: database.url, max: 2, connectMs: 500 })
    small.on('error', () => undefined)
    const few = createDb(small)
    const { promise: end, resolve: open } = Promise.withResolvers<void>()
    const holding = [1, 2].map(() => by('greedy', () => few.connection().execute(() => end)))
    await expect(by('late', () => sql`select 1`.execute(few))).rejects.toThrow('timeout exceeded')
    open()
    await Promise.all(holding)
    await Promise.all([1, 2].map(() => by('late', () => sql`select 1`.execute(few))))
    await few.destroy()
  })
})
