/** A load of events and runs, and the checks of P1 to P3 on the tables afterwards, whichever process died meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { expect } from 'vitest'
import type { Tables } from '#kernel/db/tables.ts'
import { until } from '../kernel/until.ts'
import type { TestApp } from './app.ts'
import { findBreaches, isAtRest } from './breaches.ts'
import { ingestKey, subscribe } from './bus.ts'
import { publish } from './runs.ts'
import { edge, node } from './workflows.ts'

type Db = Kysely<Tables>

interface Listening {
  parallel: string
  single: string
}

/** Two workflows of three nodes subscribe to the same events; the second runs one at a time per correlation id. */
export const prepareListeners = async (app: TestApp, siteOrigin: string): Promise<Listening> => {
  const ana = await app.user()
  const call = node('call', { url: `${siteOrigin}/`, retry: { max_attempts: 1 } }, 'http_request')
  const emit = node('emit', { event_type: 'done', payload: { from: '{{ _event.id }}' } }, 'emit_event')
  const graph = { nodes: [call, emit, node('end')], edges: [edge('call', 'emit'), edge('emit', 'end')] }
  const [parallel, single] = [await publish(ana, graph), await publish(ana, graph)]
  for (const [workflowId, concurrency] of [[parallel, 'parallel'] as const, [single, 'one_per_correlation'] as const])
    await subscribe(app, { scopeId: ana.id, workflowId, eventType: 'start', concurrency })
  return { parallel, single }
}

/** Publishes with a key and retries until it is accepted. Returns the event's id. */
export const ingestUntilTaken = async (addressOf: () => string, number: number): Promise<string> => {
  for (let tries = 0; tries < 600; tries++) {
    try {
      const reply = await fetch(`${addressOf()}/api/v1/events/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': ingestKey, 'idempotency-key': `event-${number}` },
        body: JSON.stringify({
          event_type: 'start',
          correlation_id: `c-${number % 7}`,
          source: 'load',
          payload: { number },
        }),
      })
      if (reply.status === 202) return ((await reply.json()) as { event_id: string }).event_id
    } catch {
      // The server is down at the moment.
    }
    await sleep(100)
  }
  throw new Error('the server did not come back')
}

export const atRest = (db: Db): Promise<void> => until(() => isAtRest(db), 'the end of all runs')

/** Call it once everything is idle. `accepted` are the events that were acknowledged to their publisher. */
export const expectPromisesKept = async (
  db: Db,
  { accepted, parallel, single }: Listening & { accepted: readonly string[] },
): Promise<void> => {
  expect(await findBreaches(db)).toEqual({})
  const ids = [...accepted].sort()
  const started = await db.selectFrom('events').select('eventId').where('eventType', '=', 'start').execute()
  expect(started.map(({ eventId }) => eventId).sort()).toEqual(ids)
  const runs = await db.selectFrom('runs').selectAll().execute()
  expect(new Set(runs.map(({ status, error }) => `${status} ${error}`))).toEqual(new Set(['succeeded null']))
  const ofParallel = runs.filter(({ workflowId }) => workflowId === parallel)
  expect(ofParallel.map(({ eventId }) => eventId).sort()).toEqual(ids)
  const decided = await db
    .selectFrom('eventDeliveries')
    .select('eventId')
    .where('workflowId', 'in', [parallel, single])
    .execute()
  expect(decided).toHaveLength(2 * ids.length)
  const steps = await db.selectFrom('runSteps').select('id').where('status', '=', 'succeeded').execute()
  expect(steps).toHaveLength(3 * runs.length)
}
