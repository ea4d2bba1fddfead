import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import { partBatchRows, takeBatchesUnscoped } from '../queries/batches.ts'
import { lockDispatch, takeDueEventsUnscoped } from '../queries/dispatches.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey } })
const eventType = 'committed_late'
const newEvent = () => ({ scopeId: instanceScope, eventType, source: 'test', userId: null, payload: {} })
const tables = ['event_batches', 'event_dispatches', 'events', 'subscription_changes']

it('an event whose transaction took longer than looks go back is dispatched all the same', async () => {
  await subscribe(app, { scopeId: randomUUID(), eventType })
  const late = Promise.withResolvers<void>()
  const slow = app.db.transaction().execute(async (tx) => {
    const [published] = await app.ports.eventBus.publish(tx, [newEvent()])
    await late.promise
    return published?.event.eventId ?? ''
  })
  for (let moment = 0; moment < 6; moment += 1) {
    await ingest(app, { event_type: eventType })
    await dispatched(app)
    await sleep(1000)
  }
  late.resolve()
  const eventId = await slow
  app.ports.eventBus.wake()
  await dispatched(app)
  expect(await deliveriesOf(app, eventId)).toHaveLength(1)
})

it('no look of a dispatch reads a table from end to end, however small it seems', async () => {
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(app.db)
  const { before, after } = await app.db.transaction().execute(async (tx) => {
    const countScans = async () => {
      const { rows } = await sql<{ seqScan: number; idxScan: number }>`
        select seq_scan, idx_scan from pg_stat_xact_user_tables where relname = any(${tables}) order by relname`.execute(
        tx,
      )
      return rows
    }
    await lockDispatch(tx)
    const { now, places } = { now: app.clock.now(), places: { from: 0, to: Number.MAX_SAFE_INTEGER } }
    await app.ports.eventBus.publish(tx, [newEvent()])
    const { seq } = await tx.selectFrom('eventBatches').select('seq').executeTakeFirstOrThrow()
    await partBatchRows(tx, { places: `{${seq}}` }, now)
    await app.ports.eventBus.publish(tx, [newEvent()])
    const earlier = await countScans()
    const together = await takeBatchesUnscoped(tx, { from: 0, events: 10, bytes: 1000 })
    const alone = await takeDueEventsUnscoped(tx, { now, places, limit: 10, bytes: 1000 })
    expect([together.count, alone.count]).toEqual([1, 1])
    return { before: earlier, after: await countScans() }
  })
  expect(after.map(({ seqScan }) => seqScan)).toEqual(before.map(({ seqScan }) => seqScan))
  for (const [place, { idxScan }] of after.entries()) expect(idxScan).toBeGreaterThan(before[place]?.idxScan ?? 0)
  expect((await sql`show enable_seqscan`.execute(app.db)).rows).toEqual([{ enableSeqscan: 'on' }])
})

it("nodes of the version before and of this one know each other's events, by id and by key", async () => {
  const record = (eventId: string, key: string) =>
    JSON.stringify([
      {
        ...{ eventId, key, publisher: 'somebody', scopeId: instanceScope, eventType, source: 'test' },
        ...{ correlationId: 'both', payload: {}, publishedAt: Date.now() },
      },
    ])
  const by = (name: string) => async (eventId: string, key: string) => {
    const { rows } = await sql`
      select * from ${sql.raw(name)}(${record(eventId, key)}, true, now(), now() + interval '1 day')`.execute(app.db)
    return rows.length === 0
  }
  const [before, now] = [by('store_events'), by('publish_batch')]
  for (const [first, second] of [
    [before, now],
    [now, before],
  ] as const) {
    const [id, key] = [randomUUID(), randomUUID()]
    expect(await first(id, key)).toBe(true)
    expect(await second(randomUUID(), key)).toBe(false)
    expect(await second(id, randomUUID())).toBe(false)
    expect(await second(randomUUID(), randomUUID())).toBe(true)
    await dispatched(app)
    expect(await deliveriesOf(app, id)).toHaveLength(1)
  }
})
