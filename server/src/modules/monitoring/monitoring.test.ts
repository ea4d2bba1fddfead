import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { expectErrorBody } from '#test/access/leaks.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { uploadText } from '#test/harness/files.ts'
import { startPostgresProxy } from '#test/peers/postgres-proxy.ts'
import { startRedis } from '#test/peers/redis.ts'
import { startS3 } from '#test/peers/s3.ts'

const database = await cloneDatabase()
const wire = await startPostgresProxy(database.url)
const app = await testApp({ databaseUrl: wire.url })
afterAll(async () => {
  await app.stop()
  await wire.close()
  await database.drop()
})

const checks = ['/health', '/health/db', '/ready']
const statuses = () => Promise.all(checks.map(async (path) => (await app.anonymous.get(path)).status))
const settle = (expected: number[]) => expect.poll(statuses, { timeout: 20_000, interval: 100 }).toEqual(expected)

describe('a healthy node', () => {
  it('says so, to anybody', async () => {
    expect(await app.anonymous.get('/health')).toMatchObject({ status: 200, text: '{"status":true}' })
    expect(await app.anonymous.get('/health/db')).toMatchObject({ status: 200, text: '{"status":true}' })
    const ready = await app.anonymous.get('/ready')
    expect(ready).toMatchObject({ status: 200, body: { status: true, checks: { serving: true, database: true } } })
  })

  it('answers a monitor that asks by HEAD, or asks a hundred times at once', async () => {
    for (const path of checks) expect((await app.anonymous.send('HEAD', path)).status).toBe(200)
    const replies = await Promise.all(Array.from({ length: 100 }, () => app.anonymous.get('/health')))
    for (const reply of replies) expect(reply.status).toBe(200)
  })
})

describe('without its database (A52)', () => {
  it('says so, refuses work in one clear form, and recovers by itself when the wire is cut', async () => {
    const ana = await app.user()
    wire.cut()
    await settle([503, 503, 503])
    for (const path of checks) {
      const reply = await app.anonymous.get(path)
      expectErrorBody(reply.text, path === '/ready' ? 'not_ready' : 'database_unavailable')
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await app.anonymous.get('/ready')).body.detail).toContain('database')
    app.clock.forward({ minutes: 1 })
    const work = await ana.get('/api/auth/me')
    expect(work.status).toBe(503)
    expectErrorBody(work.text, 'database_unavailable')

    wire.mend()
    await settle([200, 200, 200])
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 200, body: { id: ana.id } })
  })

  it('takes no busy moment for an outage, though nobody has asked for long', async () => {
    await settle([200, 200, 200])
    app.clock.forward({ minutes: 1 })
    wire.hold()
    expect(await statuses()).toEqual([200, 200, 200])
    wire.mend()
    await settle([200, 200, 200])
  })

  it('does not wait for it: a wire that swallows everything is noticed, and its mending too', async () => {
    app.clock.forward({ minutes: 1 })
    wire.hold()
    expect(await statuses()).toEqual([200, 200, 200])
    app.clock.forward({ ms: 2000 })
    expect(await statuses()).toEqual([200, 200, 200])
    app.clock.forward({ ms: 3000 })
    expect(await statuses()).toEqual([503, 503, 503])
    wire.mend()
    await settle([200, 200, 200])
  })

  it('survives that the database ends every connection, and hears revocations again afterwards', async () => {
    const other = await testApp({ databaseUrl: database.url })
    const ana = await app.user()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other.db)
    await settle([200, 200, 200])

    const listening = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'chancery signals'`
    await expect.poll(async () => (await listening.execute(app.db)).rows[0]?.count, { timeout: 10_000 }).toBe(2)
    const asAna = { authorization: `Bearer ${ana.token}` }
    expect(await other.anonymous.get('/api/auth/me', asAna)).toMatchObject({ status: 200 })
    await ana.post('/api/auth/logout')
    await expect
      .poll(async () => (await other.anonymous.get('/api/auth/me', asAna)).status, { timeout: 5000 })
      .toBe(401)
    await other.stop()
  })
})

it('a statement that takes too long is the database’s delay, not a fault of ours', async () => {
  const ana = await app.user()
  await settle([200, 200, 200])
  for (const [state, isBefore] of [
    ['57014', 'update'],
    ['55P03', 'insert'],
  ] as const) {
    await sql`create function take_long() returns trigger language plpgsql
      as ${sql.lit(`begin raise sqlstate '${state}'; end`)}`.execute(app.db)
    await sql`create trigger take_long before ${sql.raw(isBefore)} on users
      for each row execute function take_long()`.execute(app.db)
    const reply = await (isBefore === 'update'
      ? ana.patch('/api/auth/me', { name: 'Anna' })
      : app
          .newcomer()
          .post('/api/auth/register', { name: 'X', email: 'late@example.test', password: 'a long quiet river' }))
    expect(reply).toMatchObject({ status: 503, body: { code: 'database_timeout' } })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    await sql`drop trigger take_long on users`.execute(app.db)
    await sql`drop function take_long`.execute(app.db)
  }
})

const gauge = async (node: TestApp, name: string) => {
  const { text } = await node.anonymous.get('/metrics', { authorization: 'Bearer scrape' })
  return Number(new RegExp(`^chancery_degraded\\{dependency="${name}"\\} (\\d)$`, 'm').exec(text)?.[1])
}

describe('with a shared store', () => {
  it('stays ready without it, says that it is degraded, and keeps signing people in', async () => {
    const redis = await startRedis()
    const shared = await testApp({ env: { REDIS_URL: redis.url, METRICS_TOKEN: 'scrape' } })
    const ready = () => shared.anonymous.get('/ready')
    const well = { ready: true, degraded: [], status: true, checks: { serving: true, database: true, limits: true } }
    expect(await ready()).toMatchObject({ status: 200, body: well })
    expect(await gauge(shared, 'redis')).toBe(0)
    await redis.stop()
    await expect.poll(async () => (await ready()).body.degraded, { timeout: 10_000 }).toEqual(['redis'])
    expect(await ready()).toMatchObject({ status: 200, body: { ready: true, checks: { limits: false } } })
    expect(await gauge(shared, 'redis')).toBe(1)
    expect(await shared.anonymous.get('/health')).toMatchObject({ status: 200 })
    expect((await shared.user()).token).toBeTruthy()
    await shared.stop()
  })
})

describe('with files in S3', () => {
  it('stays ready when S3 goes away, and calls it S3 where a file is wanted', async () => {
    const s3 = await startS3()
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3
    const stored = await testApp({
      env: {
        S3_ENDPOINT: endpoint,
        S3_BUCKET: bucket,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
        METRICS_TOKEN: 'scrape',
      },
    })
    const ana = await stored.user()
    const { body: file } = await uploadText(ana, 'Some words.')
    expect((await stored.anonymous.get('/ready')).body.degraded).toEqual([])
    await s3.close()
    stored.clock.forward({ minutes: 1 })
    await expect
      .poll(async () => (await stored.anonymous.get('/ready')).body, { timeout: 20_000 })
      .toMatchObject({ ready: true, degraded: ['s3'] })
    expect(await gauge(stored, 's3')).toBe(1)
    const away = { status: 503, body: { code: 's3_unavailable' } }
    const reply = await ana.get(`/api/v1/files/${file.id}/content`)
    expect(reply).toMatchObject(away)
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply.body.detail).toContain('S3')
    expect(await uploadText(ana, 'More words.')).toMatchObject(away)
    expect(await stored.anonymous.get('/health')).toMatchObject({ status: 200 })
    await stored.stop()
  })
})
