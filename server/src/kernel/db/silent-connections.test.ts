import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { type PostgresProxy, startPostgresProxy } from '#test/peers/postgres-proxy.ts'
import { createLog } from '../log.ts'
import { createTasks } from '../tasks.ts'
import { createPool, type Pool } from './database.ts'
import { keepListening } from './keep-listening.ts'
import { watchPool } from './watch-pool.ts'

const log = createLog('silent')
const database = await cloneDatabase()
const stopping = new AbortController()
const opened: { pool: Pool; wire: PostgresProxy }[] = []
afterAll(async () => {
  stopping.abort()
  for (const { pool, wire } of opened) {
    await pool.end()
    await wire.close()
  }
  await database.drop()
})

/** A pool of its own for each test: most of the time they wait for silence, so they run at the same time. */
const openPool = async (timing: Parameters<typeof watchPool>[0]['timing'] = {}) => {
  const wire = await startPostgresProxy(database.url)
  const pool = createPool({ connectionString: wire.url, max: 2 })
  pool.on('error', () => undefined)
  opened.push({ pool, wire })
  const usual = { everyMs: 20, suspectMs: 150, giveUpMs: 600 }
  watchPool({ pool, log, tasks: createTasks(log), signal: stopping.signal, timing: { ...usual, ...timing } })
  return { pool, wire }
}

describe.concurrent('a pool whose connections fall silent', () => {
  it('fails the statement that waits, replaces every connection and goes on', async () => {
    const { pool, wire } = await openPool()
    await Promise.all([pool.query('select 1'), pool.query('select 1')])
    wire.abandon()
    await expect(pool.query('select 2')).rejects.toMatchObject({ code: '08006' })
    expect((await pool.query('select 3 as n')).rows).toEqual([{ n: 3 }])
    expect(pool.totalCount).toBe(1)
  })

  it('serves callers who waited for a connection that was taken by the silence', async () => {
    const { pool, wire } = await openPool()
    await Promise.all([pool.query('select 1'), pool.query('select 1')])
    wire.abandon()
    const stuck = [pool.query('select 2'), pool.query('select 2')]
    const waiting = pool.query('select 3 as n')
    const outcomes = await Promise.allSettled(stuck)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect((await waiting).rows).toEqual([{ n: 3 }])
  })

  it('ends a transaction that was cut in the middle, and gives its connection to nobody', async () => {
    const { pool, wire } = await openPool()
    const client = await pool.connect()
    await client.query('begin')
    wire.abandon()
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '08006' })
    await expect(client.query('rollback')).rejects.toThrow()
    client.release()
    expect((await pool.query('select 4 as n')).rows).toEqual([{ n: 4 }])
  })

  it('ends the transaction in PostgreSQL too, so that its locks are free for the next', async () => {
    const { pool, wire } = await openPool()
    await pool.query('create table if not exists locked (id int primary key)')
    await pool.query('insert into locked values (1) on conflict do nothing')
    const client = await pool.connect()
    await client.query('begin')
    await client.query('select * from locked for update')
    wire.abandon()
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '08006' })
    client.release()
    expect((await pool.query('select id from locked for update')).rows).toEqual([{ id: 1 }])
  })

  it('is watched from its first connection on, or not at all', async () => {
    const { wire } = await openPool()
    const late = createPool({ connectionString: wire.url, max: 1 })
    await late.query('select 1')
    expect(() => watchPool({ pool: late, log, tasks: createTasks(log), signal: stopping.signal })).toThrow('unwatched')
    await late.end()
  })

  it('fails what waits when the database cannot even be asked', async () => {
    const { pool, wire } = await openPool({ suspectMs: 50, giveUpMs: 400, askMs: 400 })
    await pool.query('select 1')
    wire.hold()
    await expect(pool.query('select 2')).rejects.toMatchObject({ code: '08006' })
    wire.mend()
    expect((await pool.query('select 3 as n')).rows).toEqual([{ n: 3 }])
  })

  it('leaves a statement alone that is only slow', async () => {
    const { pool } = await openPool()
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    const slow = await pool.query('select pg_sleep(1), pg_backend_pid() as pid')
    expect(slow.rows[0]).toMatchObject({ pid: rows[0]?.pid })
  })
})

describe.concurrent('the limits of a connection', () => {
  it('are set in PostgreSQL for ordinary work', async () => {
    const { pool } = await openPool()
    const settings = async (name: string) => Object.values((await pool.query(`show ${name}`)).rows[0])[0]
    expect(await settings('statement_timeout')).toBe('1min')
    expect(await settings('idle_in_transaction_session_timeout')).toBe('1min')
  })

  it('refuse a caller when the pool stays at its limit, and leave the others alone', async () => {
    const { wire } = await openPool()
    const small = createPool({ connectionString: wire.url, max: 1, connectMs: 500 })
    const client = await small.connect()
    await expect(small.query('select 1')).rejects.toThrow('timeout exceeded when trying to connect')
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
    client.release()
    expect((await small.query('select 2 as n')).rows).toEqual([{ n: 2 }])
    await small.end()
  })
})

describe.concurrent('a connection that listens', () => {
  it('notices that it fell silent, connects again and hears what is announced then', async ({ expect }) => {
    const { pool, wire } = await openPool()
    const heard: string[] = []
    let connects = 0
    const listening = keepListening({
      connection: { connectionString: wire.url },
      channels: ['news'],
      log,
      heartbeat: { everyMs: 20, answerMs: 150 },
      onNotification: (payload) => void heard.push(payload),
      onListening: () => {
        connects += 1
      },
    })
    await expect.poll(() => connects).toBe(1)
    // Some heartbeats pass while all is well.
    await sleep(100)
    expect(connects).toBe(1)
    wire.abandon()
    await expect.poll(() => connects).toBe(2)
    await pool.query(`notify news, 'after'`)
    await expect.poll(() => heard).toEqual(['after'])
    await listening.close()
  })

  it('can be closed while it connects to a database that says nothing', async () => {
    const { wire } = await openPool()
    wire.hold()
    const unheard = () => undefined
    const listening = keepListening({
      connection: { connectionString: wire.url },
      channels: ['news'],
      log,
      heartbeat: { everyMs: 20, answerMs: 150 },
      onNotification: unheard,
      onListening: unheard,
    })
    await listening.close()
  })
})
