/** A load of events and runs, and the checks of P1 to P3 on the tables afterwards, whichever process died meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { Tables } from '#kernel/db/tables.ts'
import { until } from '../kernel/until.ts'
import type { TestApp } from './app.ts'
import { ingestKey } from './bus.ts'
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
    await app.ports.eventBus.createSubscription(app.db, {
      ...{ scopeId: ana.id, workflowId, name: concurrency, eventType: 'start', filterExpr: null, concurrency },
      allowReentry: false,
      catalogId: null,
      spaceId: null,
      enabled: true,
    })
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
          ...{ event_type: 'start', correlation_id: `c-${number % 7}`, source: 'load', payload: { number } },
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

/** Waits until nothing is queued for dispatch and no run is active. */
export const atRest = (db: Db): Promise<void> =>
  until(async () => {
    const { rows } = await sql<{
      count: number
    }>`select (select count(*) from event_dispatches) + (select count(*) from event_batches)
      + (select count(*) from runs where status in ('queued', 'running', 'waiting')) as count`.execute(db)
    return Number(rows[0]?.count) === 0
  }, 'the end of all runs')

/** Rows that must not exist, by the promise that they would break. */
const breaches = {
  'P1: a run without the decision that started it': sql`
    select r.id from runs r where r.trigger_kind = 'event' and r.retry_of is null and not exists (
      select from event_deliveries d where d.run_id = r.id and d.event_id = r.event_id and d.decision = 'fired')`,
  'P1: a decision without its run': sql`
    select d.run_id as id from event_deliveries d where d.decision = 'fired' and not exists (
      select from runs r where r.id = d.run_id and r.event_id = d.event_id and r.trigger_id = d.subscription_id)`,
  'P1: two runs for one event and subscription': sql`
    select event_id as id from runs where trigger_kind = 'event' and retry_of is null
    group by event_id, trigger_id having count(*) > 1`,
  // By what they did, not by when they were made: that moment is taken before the database says whose turn it is.
  'P2: two runs of one correlation that were at work at the same time': sql`
    with spans as (
      select r.id, r.workflow_id, r.correlation_id, min(s.started_at) as began, max(s.finished_at) as ended
      from runs r join run_steps s on s.run_id = r.id where r.is_one_per_correlation group by r.id
    )
    select one.id from spans one join spans other on other.workflow_id = one.workflow_id
      and other.correlation_id = one.correlation_id and other.id > one.id
    where one.began < other.ended and other.began < one.ended`,
  'P3: a node that succeeded twice': sql`
    select run_id as id from run_steps where status = 'succeeded' group by run_id, node_id having count(*) > 1`,
  'P3: something under way in a run that has ended': sql`
    select s.id from run_steps s join runs r on r.id = s.run_id
    where r.finished_at is not null and s.status in ('running', 'retrying', 'waiting')`,
  'P3: a run that emitted another number of events than it has nodes for': sql`
    select r.id from runs r where r.status = 'succeeded'
      and (select count(*) from events e where e.causation_run_id = r.id) <> 1`,
}

/** Call it once everything is idle. `accepted` are the events that were acknowledged to their publisher. */
export const expectPromisesKept = async (
  db: Db,
  { accepted, parallel, single }: Listening & { accepted: readonly string[] },
): Promise<void> => {
  for (const [breach, query] of Object.entries(breaches)) expect((await query.execute(db)).rows, breach).toEqual([])
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
