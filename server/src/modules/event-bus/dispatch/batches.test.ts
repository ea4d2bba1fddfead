/** Events published together are queued together, and shown as pending until they are dispatched. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Db } from '#kernel/db/database.ts'
import { noFailpoints } from '#kernel/failpoints.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, subscribe } from '#test/harness/bus.ts'
import type { NewEvent } from '../interface.ts'
import { instanceLane } from '../lanes.ts'
import { batchLimits } from '../payload.ts'
import { takeBatchesUnscoped } from '../queries/batches.ts'
import { claimLanesUnscoped } from '../queries/lanes.ts'
import { splitBatches } from './split-batches.ts'

const app = await testApp({ env: { EVENT_MAX_PAYLOAD_BYTES: String(batchLimits.bytes) } })
const bus = app.ports.eventBus
/** Has seen nothing yet. */
const since = { snapshot: '1:1:', at: '-infinity' }
const [eventType, otherType] = ['order_created', 'order_paid']
const newEvent = (type: string, payload: unknown = {}): NewEvent => ({
  scopeId: instanceScope,
  eventType: type,
  source: 'test',
  userId: null,
  payload,
})

/** Publishes while no dispatcher can run, and reads the queued batches. */
const publish = async (events: readonly NewEvent[]) => {
  const held = Promise.withResolvers<(tx: Db) => Promise<unknown>>()
  const locked = Promise.withResolvers<void>()
  const holding = app.db.transaction().execute(async (tx) => {
    while ((await claimLanesUnscoped(tx, { lanes: [instanceLane] })).length === 0) await sleep(10)
    locked.resolve()
    const beforeRelease = await held.promise
    await beforeRelease(tx)
  })
  await locked.promise
  const published = await app.db
    .transaction()
    .execute((tx) => bus.publish(tx, events))
    .catch((problem) => {
      held.resolve(async () => undefined)
      throw problem
    })
  const batches = await app.db.selectFrom('eventBatches').selectAll().orderBy('seq').execute()
  return {
    eventIds: published.map(({ event }) => event.eventId),
    batches,
    /** Lets the dispatcher run, after one last action under its lock. */
    release: async (beforeRelease: (tx: Db) => Promise<unknown> = async () => undefined) => {
      held.resolve(beforeRelease)
      await holding
      bus.wake()
      await dispatched(app)
    },
  }
}

it('events published together share one queue row, whatever their types', async () => {
  await subscribe(app, { scopeId: randomUUID(), eventType })
  const { eventIds, batches, release } = await publish([newEvent(otherType), newEvent(eventType), newEvent(eventType)])
  expect(batches).toHaveLength(1)
  expect(batches[0]?.seqs).toHaveLength(3)
  expect(batches[0]?.span).toBe(2)
  expect(batches[0]?.eventTypes.toSorted()).toEqual([eventType, otherType])
  await release()
  const decided = await Promise.all(eventIds.map(async (id) => (await deliveriesOf(app, id)).length))
  expect(decided).toEqual([0, 1, 1])
})

it('many events, or large ones, are split into several batches', async () => {
  const many = await publish(Array.from({ length: 1201 }, () => newEvent(otherType)))
  expect(many.batches.map(({ seqs }) => seqs.length)).toEqual([500, 500, 201])
  await many.release()
  const half = { letters: 'x'.repeat(batchLimits.bytes / 2) }
  const large = await publish([1, 2, 3, 4, 5].map(() => newEvent(otherType, half)))
  expect(large.batches.map(({ seqs }) => seqs.length)).toEqual([2, 2, 1])
  await large.release()
})

const deleteOld = async () => {
  const job = bus.jobs?.find(({ name }) => name === 'events.retention')
  await job?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
}

it('an event in a batch is shown as pending, and retention does not delete it', async () => {
  const { eventIds, release } = await publish([newEvent(otherType), newEvent(eventType)])
  const pending = async () => {
    const ana = await app.user()
    return Promise.all(eventIds.map(async (id) => (await ana.get(`/api/v1/events/${id}/deliveries`)).body.pending))
  }
  expect(await pending()).toEqual([true, true])
  app.clock.forward({ days: 40 })
  await deleteOld()
  const kept = await app.db.selectFrom('events').select('eventId').orderBy('seq').execute()
  expect(kept.map(({ eventId }) => eventId)).toEqual(eventIds)
  await release()
  expect(await pending()).toEqual([false, false])
})

const outcomesOf = async (eventIds: readonly string[]): Promise<string[]> => {
  const ana = await app.user()
  const { body } = await ana.get(`/api/v1/events/outcomes?event_ids=${eventIds.join()}`)
  return body.data.map(({ outcome }: { outcome: string }) => outcome)
}

it('an event waits if it is in a batch, though batches interleave and one reaches past it', async () => {
  const { eventIds, batches, release } = await publish(Array.from({ length: 5 }, () => newEvent(otherType)))
  const [first, second, , fourth, fifth] = batches[0]?.seqs ?? []
  const queue = (from: string | undefined, to: string | undefined, seqs: string) =>
    sql`insert into event_batches (seq, span, seqs, event_types, bytes)
      values (${from}, ${Number(to) - Number(from)}, ${seqs}, ${[otherType]}, 1)`.execute(app.db)
  await app.db.deleteFrom('eventBatches').execute()
  await queue(first, fifth, `{${fifth},${first}}`)
  await queue(second, fourth, `{${second},${fourth}}`)
  expect(await outcomesOf(eventIds)).toEqual(['waiting', 'waiting', 'no_subscriber', 'waiting', 'waiting'])
  await release()
  expect(await outcomesOf(eventIds)).toEqual(Array(5).fill('no_subscriber'))
})

it('an event without decisions had no subscriber, unless it is so old that they were deleted', async () => {
  const owner = await app.platformOwner()
  await owner.post('/api/v1/configs', { 'events.delivery_retention_days': 7 })
  const old = await publish([newEvent(otherType)])
  await old.release()
  app.clock.forward({ days: 8 })
  await deleteOld()
  const young = await publish([newEvent(otherType)])
  await young.release()
  expect(await outcomesOf([...old.eventIds, ...young.eventIds])).toEqual(['not_kept', 'no_subscriber'])
  // Kept for longer from now on: what was deleted stays unknown.
  await owner.post('/api/v1/configs', { 'events.delivery_retention_days': 30 })
  await deleteOld()
  expect(await outcomesOf(old.eventIds)).toEqual(['not_kept'])
})

it('a batch that failed on one node and was taken by another meanwhile is not queued again', async () => {
  const { eventIds, batches, release } = await publish([newEvent(otherType), newEvent(otherType)])
  const failed = { seqs: batches[0]?.seqs.map(Number) ?? [], lanes: [instanceLane] }
  const log = createLog('silent')
  const context = { clock: app.clock, db: app.db, failpoints: noFailpoints, log, nodes: { id: 'this node' } }
  const splitting = splitBatches(context, failed, new Error('here'))
  await Promise.race([splitting, sleep(300)])
  let taken = 0
  await release(async (tx) => {
    taken = (await takeBatchesUnscoped(tx, { lanes: [instanceLane], from: () => 0, limits: batchLimits, since })).seqs
      .length
  })
  await splitting
  expect(taken).toBe(eventIds.length)
  expect(await app.db.selectFrom('eventDispatches').selectAll().execute()).toEqual([])
})
