/** Events so large that a full batch of them would not fit in memory: they go in smaller batches, and none is lost. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, dispatched, openStream, subscribe } from '#test/harness/bus.ts'
import type { NewEvent } from './interface.ts'
import { batchLimits } from './payload.ts'

const app = await testApp({ env: { EVENT_MAX_PAYLOAD_BYTES: '8388608' } })
const ana = await app.user()
const run = randomUUID()

const newEvent = (letters: number): NewEvent => ({
  scopeId: instanceScope,
  eventType: 'order_created',
  source: 'test',
  userId: null,
  correlationId: run,
  // It compresses to almost nothing: what counts is its size when read.
  payload: { letters: 'x'.repeat(letters) },
})
/** Twelve megabytes; one of them alone is more than fits. */
const sizes = [
  ...Array<number>(20).fill(300_000),
  batchLimits.bytes + 1_000_000,
  ...Array<number>(40).fill(10),
  900_000,
]

let published: string[] = []
const batches: string[][] = []
beforeAll(async () => {
  const runs = await createRunRows(app.db)
  app.ports.eventBus.registerRunStarter(runs.starter)
  app.ports.eventBus.registerListener(async (_tx, { eventTypes, listHeads, read }) => {
    const heads = await listHeads(eventTypes)
    const events = await read(heads)
    expect(events).toMatchObject(heads)
    batches.push(events.map(({ eventId }) => eventId))
  })
  await subscribe(app)
  const stored = await app.db.transaction().execute((tx) => app.ports.eventBus.publish(tx, sizes.map(newEvent)))
  published = stored.map(({ event }) => event.eventId)
  app.ports.eventBus.wake()
  await dispatched(app)
})

const bytesOf = (eventIds: readonly string[]): number =>
  eventIds.reduce((sum, id) => sum + (sizes[published.indexOf(id)] ?? 0), 0)
/** The last event of a batch may exceed the limit; those before it must not. */
const expectBounded = (batches: readonly (readonly string[])[]): void => {
  expect(batches.length).toBeGreaterThan(2)
  for (const batch of batches) expect(bytesOf(batch.slice(0, -1))).toBeLessThan(batchLimits.bytes)
}

const listPages = async (correlationId: string): Promise<string[][]> => {
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `correlation_id=${correlationId}&limit=200${cursor && `&cursor=${cursor}`}`
    const { body } = await ana.get(`/api/v1/events?${query}`)
    pages.push(body.data.map((event: { event_id: string }) => event.event_id))
    cursor = body.next_cursor
  }
  return pages
}

describe('large events', () => {
  it('are dispatched a few at a time, in their order, each once', async () => {
    expect(batches.flat()).toEqual(published)
    expectBounded(batches)
    const decided = await app.db.selectFrom('eventDeliveries').select('decision').execute()
    expect(decided).toEqual(sizes.map(() => ({ decision: 'fired' })))
  })

  it('are listed in shorter pages, one by itself where it must be, and all of them', async () => {
    const pages = await listPages(run)
    expect(pages.flat()).toEqual(published.toReversed())
    expectBounded(pages)
  })

  it('are all streamed, to a client that resumes and to one that listens', async () => {
    const resumed = await openStream(app, ana.token, { query: `?after=0&correlation_id=${run}` })
    await resumed.reaches(sizes.length)
    const sent = () => resumed.frames.map(({ data }) => JSON.parse(data).event_id)
    expect(sent()).toEqual(published)
    const later = await app.db
      .transaction()
      .execute((tx) => app.ports.eventBus.publish(tx, [400_000, 400_000, 400_000, 10].map(newEvent)))
    app.ports.eventBus.wake()
    await resumed.reaches(sizes.length + later.length)
    expect(sent()).toEqual([...published, ...later.map(({ event }) => event.eventId)])
    await resumed.close()
  })

  it('stored before sizes were recorded are measured', async () => {
    const old = randomUUID()
    await sql`
      insert into events (event_id, scope_id, event_type, source, correlation_id, payload, published_at, root_event_id)
      select gen_random_uuid(), scope_id, event_type, source, ${old}, payload, published_at, root_event_id
      from events where event_id = any(${published}::uuid[])`.execute(app.db)
    const pages = await listPages(old)
    expect(pages.flat()).toHaveLength(sizes.length)
    expect(pages.length).toBeGreaterThan(2)
  })
})
