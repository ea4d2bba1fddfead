import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '#test/harness/at-end.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { createDb } from './database.ts'
import { dropPartition, listPartitions, makePartitionsAhead } from './partitions.ts'

const database = await cloneDatabase()
const pool = database.openPool(4)
atEnd(async () => {
  await pool.end()
  await database.drop()
})
const db = createDb(pool)
const parts = { table: 'parts', key: 'id' }

beforeEach(async () => {
  await pool.query(`drop table if exists parts, parts_rest, parts_first;
    create table parts (id int not null, number bigint not null) partition by range (number);
    create index parts_number on parts (number)`)
  await sql`select add_partition('parts', 'parts_first', null, 100, 'id')`.execute(db)
  await sql`select add_partition('parts', 'parts_rest', 100, null, 'id')`.execute(db)
})

const insert = async (...numbers: number[]): Promise<void> => {
  await pool.query('insert into parts select number, number from unnest($1::bigint[]) as number', [numbers])
}
const numbersIn = async (table: string): Promise<number[]> =>
  (await pool.query<{ number: number }>(`select number from ${table} order by number`)).rows.map(({ number }) => number)

const ends = async () => (await listPartitions(db, 'parts')).map(({ name, to }) => [name, to])
const makeAhead = (last: number, size = 100) => makePartitionsAhead(db, parts, { last, size, count: 2 })
const dropFirst = () => dropPartition(db, parts, { name: 'parts_first', from: -Infinity, to: 100 })

/** As a server leaves it that dies in the middle: somebody still works with the table, and its connection ends. */
const interruptDetaching = async (name: string): Promise<void> => {
  const reader = await pool.connect()
  await reader.query('begin; select from parts')
  const dying = await pool.connect()
  await dying.query('set statement_timeout = 300')
  await expect(dying.query(`alter table parts detach partition ${name} concurrently`)).rejects.toThrow('timeout')
  dying.release(true)
  reader.release(true)
}

describe('partitions made ahead', () => {
  it('are enough for what comes, and made again only when they are used up', async () => {
    await insert(99)
    await makeAhead(0)
    const made = [
      ['parts_first', 100],
      ['parts_100', 200],
      ['parts_200', 300],
      ['parts_300', 400],
      ['parts_rest', Infinity],
    ]
    expect(await ends()).toEqual(made)
    await makeAhead(199)
    expect(await ends()).toEqual(made)
    await makeAhead(200)
    expect((await ends()).slice(4)).toEqual([
      ['parts_400', 500],
      ['parts_500', 600],
      ['parts_rest', Infinity],
    ])
    await insert(100, 199, 200, 599, 600)
    expect(await numbersIn('parts')).toEqual([99, 100, 199, 200, 599, 600])
    expect(await numbersIn('parts_rest')).toEqual([600])
  })

  it('have the key of their own and the indexes of all', async () => {
    await makeAhead(0)
    await insert(150)
    await expect(insert(150)).rejects.toThrow('duplicate key')
    const { rows } = await pool.query("select from pg_indexes where tablename = 'parts_100'")
    expect(rows).toHaveLength(2)
  })

  it('become larger when more comes', async () => {
    await makeAhead(0)
    await makeAhead(200, 1000)
    expect((await ends()).slice(4, -1)).toEqual([
      ['parts_400', 1400],
      ['parts_1400', 2400],
    ])
  })

  it('follow what was written beyond them, of which nothing is lost', async () => {
    await insert(50, 150, 1234)
    await makeAhead(1234)
    expect(await numbersIn('parts')).toEqual([50, 150, 1234])
    expect(await numbersIn('parts_100')).toEqual([150, 1234])
    await insert(1235, 1335, 1500, 9999)
    expect(await numbersIn('parts')).toEqual([50, 150, 1234, 1235, 1335, 1500, 9999])
  })
})

describe('an interrupted change', () => {
  it('is finished the next time', async () => {
    await makeAhead(0)
    await interruptDetaching('parts_rest')
    await makeAhead(200)
    await insert(50, 599, 700)
    expect(await numbersIn('parts')).toEqual([50, 599, 700])
  })

  it('loses nothing that came into the last partition before it was taken out', async () => {
    await makeAhead(0)
    await insert(401)
    await pool.query('alter table parts detach partition parts_rest concurrently')
    await makeAhead(200)
    expect(await numbersIn('parts')).toEqual([401])
    await makeAhead(401)
    expect(await numbersIn('parts')).toEqual([401])
    expect(await numbersIn('parts_rest')).toEqual([])
  })

  it('leaves no table behind that was to be dropped', async () => {
    await insert(1)
    await interruptDetaching('parts_first')
    await makeAhead(0)
    expect(await numbersIn('parts')).toEqual([])
    expect((await pool.query("select to_regclass('parts_first') as left")).rows).toEqual([{ left: null }])
  })
})

it('dropping a partition keeps nobody waiting, and waits for those who may read it', async () => {
  await makeAhead(0)
  await insert(1, 150)
  const reader = await pool.connect()
  await reader.query('begin; select from parts')
  const dropped = dropFirst()
  await expect
    .poll(
      async () =>
        (
          await pool.query(
            "select from pg_stat_activity where query like '%concurrently%' and wait_event_type = 'Lock'",
          )
        ).rows,
    )
    .toHaveLength(1)
  await insert(151)
  expect(await numbersIn('parts')).toContain(150)
  await reader.query('commit')
  reader.release()
  await dropped
  expect(await numbersIn('parts')).toEqual([150, 151])
})
