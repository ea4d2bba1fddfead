import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { createDb, type Db } from './database.ts'
import { prepared } from './prepared.ts'

const database = await cloneDatabase()
const pool = database.openPool(1)
const db = createDb(pool)
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const add = async (on: Db, one: number, other: number) => {
  const { rows } = await prepared<{ theSum: number }>`
    select ${one}::integer + ${other}::integer as the_sum`.execute(on)
  return rows[0]?.theSum
}

const countKept = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_prepared_statements where statement like '%the_sum%' and name like 'prepared_%'`.execute(db)
  return rows[0]?.count
}

describe('a prepared statement', () => {
  it('binds each value to its own parameter', async () => {
    expect(await add(db, 1, 2)).toBe(3)
    expect(await add(db, 40, 2)).toBe(42)
  })

  it('takes values for values, whatever they hold', async () => {
    const nasty = `'; drop table users; -- $1`
    const { rows } = await prepared<{ text: string }>`select ${nasty}::text as text`.execute(db)
    expect(rows).toEqual([{ text: nasty }])
  })

  it('is prepared once on its connection, in transactions and out of them', async () => {
    await db.transaction().execute((tx) => add(tx, 3, 4))
    await add(db, 5, 6)
    expect(await countKept()).toBe(1)
  })
})
