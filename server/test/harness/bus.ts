/** Publishing to the bus from outside, subscribing without a workflow behind it, and reading its stream. */

import { randomUUID } from 'node:crypto'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { Firing, NewSubscription, RunStarter, Subscription } from '#modules/event-bus/index.ts'
import { until } from '../kernel/until.ts'
import type { TestApp } from './app.ts'
import { bearer } from './client.ts'

export const ingestKey = 'the key with which tests publish'
export const withKey = { 'x-api-key': ingestKey }

export const ingest = (app: TestApp, body: object = {}, headers: Record<string, string> = withKey) =>
  app.anonymous.post('/api/v1/events/ingest', { event_type: 'order_created', payload: {}, ...body }, headers)

export const subscribe = (app: TestApp, more: Partial<NewSubscription> = {}): Promise<Subscription> =>
  app.db.transaction().execute((tx) =>
    app.ports.eventBus.createSubscription(tx, {
      scopeId: instanceScope,
      workflowId: randomUUID(),
      name: 'a subscription',
      eventType: 'order_created',
      filterExpr: null,
      concurrency: 'parallel',
      allowReentry: false,
      catalogId: null,
      spaceId: null,
      enabled: true,
      ...more,
    }),
  )

/** Starts runs that are only rows: as durable as real ones, and a duplicate is just as visible. */
export const createRunRows = async (db: Db) => {
  await sql`create table if not exists test_runs (
    id uuid primary key, event_id uuid not null, subscription_id uuid not null, correlation_id text not null)`.execute(
    db,
  )
  const starter: RunStarter = {
    start: async (tx, firings) => {
      const ids = firings.map(() => randomUUID())
      const column = (read: (firing: Firing) => string) => firings.map(read)
      await sql`insert into test_runs select * from unnest(${ids}::uuid[],
        ${column(({ event }) => event.eventId)}::uuid[], ${column(({ subscription }) => subscription.id)}::uuid[],
        ${column(({ event }) => event.correlationId)}::text[])`.execute(tx)
      return ids.map((runId) => ({ decision: 'fired', runId, reason: null }))
    },
    onCommitted: () => undefined,
  }
  const list = async () =>
    (await sql<{ id: string; eventId: string; subscriptionId: string }>`select * from test_runs`.execute(db)).rows
  return { starter, list }
}

/** Resolves when nothing is queued for dispatch. A test that waits in vain says what is queued, and who dispatches. */
export const dispatched = (app: TestApp): Promise<void> => {
  let left: unknown
  return until(
    async () => {
      const { rows } = await sql<{ isDone: boolean; left: unknown }>`
        with batches as (select seq, lane, seqs from event_batches order by seq limit 5),
          singles as (select seq, lane, due_at, attempts, last_error from event_dispatches order by seq limit 5),
          postponed as (select seq, lane, scope_id, due_at from postponed_events order by seq limit 5)
        select not exists (select from batches) and not exists (select from singles)
            and not exists (select from postponed) as is_done,
          json_build_object('now', clock_timestamp(), 'batches', (select json_agg(b) from batches b),
            'singles', (select json_agg(s) from singles s), 'postponed', (select json_agg(p) from postponed p)) as left`.execute(
        app.db,
      )
      left = rows[0]?.left
      return rows[0]?.isDone === true
    },
    () => `the dispatch of all events (${JSON.stringify(left)}, the app's clock says ${app.clock.now().toISOString()})`,
  )
}

export const deliveriesOf = (app: TestApp, eventId: string) =>
  app.db.selectFrom('eventDeliveries').selectAll().where('eventId', '=', eventId).orderBy('subscriptionId').execute()

/** A client of the stream; `frames` grows as events arrive. */
export const openStream = async (
  app: Pick<TestApp, 'url'>,
  token: string,
  { query = '', lastEventId }: { query?: string; lastEventId?: number } = {},
) => {
  const gone = new AbortController()
  const reply = await fetch(`${app.url}/api/v1/events/stream${query}`, {
    headers: { ...bearer(token), ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }) },
    signal: gone.signal,
  })
  const frames: EventSourceMessage[] = []
  let received = ''
  const parser = createParser({ onEvent: (frame) => void frames.push(frame) })
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const bytes of reply.body ?? []) {
      const text = decoder.decode(bytes, { stream: true })
      received += text
      parser.feed(text)
    }
  }
  /** Resolves when either side has ended the stream. */
  const ended = read().catch(() => undefined)
  return {
    reply,
    frames,
    /** As it came, with comments. */
    text: () => received,
    ended,
    ids: () => frames.map(({ id }) => Number(id)),
    /** Resolves when this many have arrived. */
    reaches: (count: number) => until(() => frames.length >= count, `${count} events on the stream`),
    close: async () => {
      gone.abort()
      await ended
    },
  }
}
