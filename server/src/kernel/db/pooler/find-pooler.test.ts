/** What the server finds out about a real pgbouncer, and what it says where it can't work with it. */
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { describeWithPgbouncer, startPgbouncer } from '#test/peers/pgbouncer.ts'
import { startPostgresProxy } from '#test/peers/postgres-proxy.ts'
import { findPooler } from './find-pooler.ts'

const ignoring = ['ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout']

describeWithPgbouncer('a connection pooler before PostgreSQL', async () => {
  const [database, other] = await Promise.all([cloneDatabase(), cloneDatabase()])
  afterAll(() => Promise.all([database.drop(), other.drop()]))
  const [transaction, ignorant, session] = await Promise.all([
    startPgbouncer(database.url, { mode: 'transaction' }),
    startPgbouncer(database.url, { mode: 'transaction', settings: ignoring }),
    startPgbouncer(database.url, { mode: 'session' }),
  ])
  const limitRole = async (ms: number) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query('select quote_ident(current_database()) as name')
    const set = `alter role current_user in database ${rows[0].name} set`
    await client.query(`${set} statement_timeout = ${ms}; ${set} idle_in_transaction_session_timeout = ${ms}`)
    await client.end()
  }

  it('is none where there is only a wire', async () => {
    const wire = await startPostgresProxy(database.url)
    expect(await findPooler({ url: wire.url, directUrl: undefined })).toMatchObject({ pooler: 'none' })
    await wire.close()
  })

  it('in transaction mode is refused without a direct address, however it is configured', async () => {
    for (const { url } of [transaction, ignorant])
      await expect(findPooler({ url, directUrl: undefined })).rejects.toThrow(
        'DATABASE_URL leads to a connection pooler in transaction mode: set DATABASE_URL_DIRECT',
      )
  })

  it('in session mode is used as it is', async () => {
    const { url } = session
    expect(await findPooler({ url, directUrl: undefined })).toEqual({ url, sessionUrl: url, pooler: 'session' })
  })

  it('in transaction mode is used beside a direct address, once the role has its time limits', async () => {
    const { url } = transaction
    const given = { url, directUrl: database.url }
    await expect(findPooler(given)).rejects.toThrow(/run "alter role \S+ set statement_timeout = '60s'; alter role/)
    await limitRole(60_000)
    // pgbouncer's sessions were made before: another one has others.
    const fresh = await startPgbouncer(database.url, { mode: 'transaction' })
    expect(await findPooler({ ...given, url: fresh.url })).toEqual({
      url: fresh.url,
      sessionUrl: database.url,
      pooler: 'transaction',
    })
  })

  it('is refused where the direct address is none, or one of something else', async () => {
    const { url } = transaction
    await expect(findPooler({ url, directUrl: ignorant.url })).rejects.toThrow('transaction mode too')
    await expect(findPooler({ url, directUrl: other.url })).rejects.toThrow('lead to different databases')
    await expect(findPooler({ url, directUrl: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toThrow(
      'The database at DATABASE_URL_DIRECT cannot be reached',
    )
  })
})
