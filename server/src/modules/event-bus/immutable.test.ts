import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { dispatched, ingest, ingestKey } from '#test/harness/bus.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey } })

const countEvents = async (): Promise<number> => (await app.db.selectFrom('events').select('eventId').execute()).length

it.each([
  "update events set payload = '{}'",
  "update events set published_at = now() - interval '1 day'",
  'update events set seq = default',
  'delete from events',
  'truncate events',
  'truncate events cascade',
  "update events_first set payload = '{}'",
  'delete from events_first',
  'truncate events_first',
  'truncate events_rest',
  "insert into events overriding system value select * from events on conflict (seq) do update set source = 'forged'",
  'with gone as (delete from events returning 1) select * from gone',
  "insert into events select * from events on conflict (event_id) do update set source = 'forged'",
])('is refused by the database itself: %s', async (statement) => {
  await ingest(app, { source: 'genuine' })
  const before = await app.db.selectFrom('events').selectAll().orderBy('seq').execute()
  await expect(sql.raw(statement).execute(app.db)).rejects.toThrow(
    /immutable|generated always|identity column|non-DEFAULT/,
  )
  expect(await app.db.selectFrom('events').selectAll().orderBy('seq').execute()).toEqual(before)
})

it('lets retention delete but not change events, and only in a transaction with its setting', async () => {
  await ingest(app)
  const change = app.db.transaction().execute(async (tx) => {
    await sql`set local chancery.retention = 'on'`.execute(tx)
    await sql`update events set source = 'forged'`.execute(tx)
  })
  await expect(change).rejects.toThrow(/immutable/)
  await expect(sql`delete from events`.execute(app.db)).rejects.toThrow(/immutable/)
})

it('deletes events after their retention days, but none that is still queued or a dead letter', async () => {
  const owner = await app.platformOwner()
  await ingest(app, { correlation_id: 'old' })
  await dispatched(app)
  const { body: waiting } = await ingest(app, { correlation_id: 'waiting' })
  await dispatched(app)
  const { seq } = await app.db
    .selectFrom('events')
    .select('seq')
    .where('eventId', '=', waiting.event_id)
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('eventDeadLetters')
    .values({
      id: app.unknownId(),
      eventId: waiting.event_id,
      seq,
      scopeId: app.unknownId(),
      error: 'x',
      attempts: 8,
      failedAt: app.clock.now(),
    })
    .execute()
  const job = app.ports.eventBus.jobs?.find(({ name }) => name === 'events.retention')
  const runRetention = () =>
    job?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
  const all = await countEvents()
  await runRetention()
  expect(await countEvents()).toBe(all)
  await owner.post('/api/v1/configs', { 'events.retention_days': 0 })
  app.clock.forward({ days: 8 })
  await runRetention()
  expect(await countEvents()).toBe(all)
  await owner.post('/api/v1/configs', { 'events.retention_days': 7 })
  await ingest(app, { correlation_id: 'young' })
  await dispatched(app)
  await runRetention()
  const left = await app.db.selectFrom('events').select('correlationId').orderBy('seq').execute()
  expect(left.map(({ correlationId }) => correlationId)).toEqual(['waiting', 'young'])
})
