/** What is published together waits together, and is seen to wait. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Db } from '#kernel/db/database.ts'
import { noFailpoints } from '#kernel/failpoints.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, subscribe } from '#test/harness/bus.ts'
import type { NewEvent } from '../face.ts'
import { batchBytes } from '../payload.ts'
import { takeBatchesUnscoped } from '../queries/batches.ts'
import { type DueEvents, lockDispatch } from '../queries/dispatches.ts'
import { partBatches } from './part-batches.ts'

const app = await testApp({ env: { EVENT_MAX_PAYLOAD_BYTES: String(batchBytes) } })
const bus = app.ports.eventBus
const [eventType, otherType] = ['order_created', 'order_paid']
const newEvent = (type: string, payload: unknown = {}): NewEvent => ({
  ...{ scopeId: instanceScope, eventType: type, source: 'test', userId: null, payload },
})

/** Publishes, and looks at the batches before anybody takes them. */
const publish = async (events: readonly NewEvent[]) => {
  const held = Promise.withResolvers<(tx: Db) => Promise<unknown>>()
  const locked = Promise.withResolvers<void>()
  const holding = app.db.transaction().execute(async (tx) => {
    await lockDispatch(tx)
    locked.resolve()
    const atLast = await held.promise
    await atLast(tx)
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
    ...{ eventIds: published.map(({ event }) => event.eventId), batches },
    /** Whoever holds the lock may do something with it at last. */
    letGo: async (atLast: (tx: Db) => Promise<unknown> = async () => undefined) => {
      held.resolve(atLast)
      await holding
      bus.wake()
      await dispatched(app)
    },
  }
}

it('one row stands for all that is published together, whatever their types', async () => {
  await subscribe(app, { scopeId: randomUUID(), eventType })
  const { eventIds, batches, letGo } = await publish([newEvent(otherType), newEvent(eventType), newEvent(eventType)])
  expect(batches).toHaveLength(1)
  expect(batches[0]?.seqs).toHaveLength(3)
  expect(batches[0]?.eventTypes.toSorted()).toEqual([eventType, otherType])
  await letGo()
  const decided = await Promise.all(eventIds.map(async (id) => (await deliveriesOf(app, id)).length))
  expect(decided).toEqual([0, 1, 1])
})

it('many events, or large ones, are several batches', async () => {
  const many = await publish(Array.from({ length: 1201 }, () => newEvent(otherType)))
  expect(many.batches.map(({ seqs }) => seqs.length)).toEqual([500, 500, 201])
  await many.letGo()
  const half = { letters: 'x'.repeat(batchBytes / 2) }
  const large = await publish([1, 2, 3, 4, 5].map(() => newEvent(otherType, half)))
  expect(large.batches.map(({ seqs }) => seqs.length)).toEqual([2, 2, 1])
  await large.letGo()
})

it('an event in a batch is shown as pending, and no retention lets it go', async () => {
  const { eventIds, letGo } = await publish([newEvent(otherType), newEvent(eventType)])
  const pending = async () => {
    const ana = await app.user()
    return Promise.all(eventIds.map(async (id) => (await ana.get(`/api/v1/events/${id}/deliveries`)).body.pending))
  }
  expect(await pending()).toEqual([true, true])
  app.clock.forward({ days: 40 })
  const job = bus.jobs?.find(({ name }) => name === 'events.retention')
  await job?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
  const kept = await app.db.selectFrom('events').select('eventId').orderBy('seq').execute()
  expect(kept.map(({ eventId }) => eventId)).toEqual(eventIds)
  await letGo()
  expect(await pending()).toEqual([false, false])
})

it('batches that fail on one node while another takes them are dispatched by the other alone', async () => {
  const { eventIds, batches, letGo } = await publish([newEvent(otherType), newEvent(otherType)])
  const failed = { count: eventIds.length, places: `{${batches[0]?.seqs}}` } as DueEvents
  const context = { clock: app.clock, db: app.db, failpoints: noFailpoints, log: createLog('silent') }
  const parting = partBatches(context, failed, new Error('here'))
  await Promise.race([parting, sleep(300)])
  let taken = 0
  await letGo(async (tx) => {
    taken = (await takeBatchesUnscoped(tx, { from: 0, events: 500, bytes: batchBytes })).count
  })
  await parting
  expect(taken).toBe(eventIds.length)
  expect(await app.db.selectFrom('eventDispatches').selectAll().execute()).toEqual([])
})
