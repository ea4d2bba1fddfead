/** Connections that fall silent before a pooler, where nobody knows which session worked for which of them. */
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { describeWithPgbouncer, startPgbouncer } from '#test/peers/pgbouncer.ts'
import { startPostgresProxy } from '#test/peers/postgres-proxy.ts'
import { createLog } from '../../log.ts'
import { createTasks } from '../../tasks.ts'
import { createPool } from '../database.ts'
import { watchPool } from '../watch-pool.ts'

describeWithPgbouncer('a pool before a pooler', async () => {
  const database = await cloneDatabase()
  const pgbouncer = await startPgbouncer(database.url, { mode: 'transaction', poolSize: 2 })
  const wire = await startPostgresProxy(pgbouncer.url)
  const log = createLog('silent')
  const stopping = new AbortController()
  const pool = createPool({ connectionString: wire.url, max: 2, pooler: 'transaction' })
  pool.on('error', () => undefined)
  watchPool({
    pool,
    log,
    pooler: 'transaction',
    session: { connectionString: database.url },
    tasks: createTasks(log),
    signal: stopping.signal,
    timing: { everyMs: 20, suspectMs: 150, giveUpMs: 600, longestMs: 2_000 },
  })
  afterAll(async () => {
    stopping.abort()
    await pool.end()
    await wire.close()
    await database.drop()
  })

  it('leaves a statement alone that is only slow', async () => {
    const { rows } = await pool.query('select pg_sleep(1), 1 as n')
    expect(rows[0]).toMatchObject({ n: 1 })
  })

  it('fails the statement that waits in silence and goes on', async () => {
    await Promise.all([pool.query('select 1'), pool.query('select 1')])
    wire.abandon()
    await expect(pool.query('select 2')).rejects.toMatchObject({ code: '08006' })
    expect((await pool.query('select 3 as n')).rows).toEqual([{ n: 3 }])
  })

  it('fails it in the end where another statement of the process runs, which might be this one', async () => {
    await pool.query('select 1')
    const busy = new pg.Client({ connectionString: database.url, application_name: pool.options.application_name })
    await busy.connect()
    const running = busy.query('select pg_sleep(4)')
    wire.abandon()
    await expect(pool.query('select 2')).rejects.toMatchObject({ code: '08006' })
    await running
    await busy.end()
  })
})
