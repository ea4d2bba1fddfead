/** A50, in its bounded form: kill -9 at random moments while events come in and runs are under way. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { createDb, createPool } from '#kernel/db/database.ts'
import { testApp } from '#test/harness/app.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { publish } from '#test/harness/runs.ts'
import { edge, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'
import { launchChancery } from './chancery.ts'
import { tempFolder } from './temp-folder.ts'

const kills = 5
const key = 'k'.repeat(40)
const site = await startSite((_request, response) => void setTimeout(() => response.end('ok'), Math.random() * 60))
const database = await cloneDatabase()
const pool = createPool({ connectionString: database.url, max: 4 })
pool.on('error', () => undefined)
const db = createDb(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
  await site.close()
})

/** Two workflows hear the same events; the second one at a time for each correlation. */
const prepare = async (): Promise<{ parallel: string; single: string }> => {
  const app = await testApp({ databaseUrl: database.url })
  const ana = await app.user()
  const call = node('call', { url: `${site.origin}/`, retry: { max_attempts: 1 } }, 'http_request')
  const emit = node('emit', { event_type: 'done', payload: { from: '{{ _event.id }}' } }, 'emit_event')
  const graph = { nodes: [call, emit, node('end')], edges: [edge('call', 'emit'), edge('emit', 'end')] }
  const [parallel, single] = [await publish(ana, graph), await publish(ana, graph)]
  for (const [workflowId, concurrency] of [[parallel, 'parallel'] as const, [single, 'one_per_correlation'] as const])
    await app.ports.eventBus.createSubscription(app.db, {
      ...{ scopeId: ana.id, workflowId, name: concurrency, eventType: 'start', filterExpr: null, concurrency },
      ...{ allowReentry: false, catalogId: null, spaceId: null, enabled: true },
    })
  await app.stop()
  return { parallel, single }
}

/** Publishes with a key, again and again until it is taken. */
const ingest = async (addressOf: () => string, number: number): Promise<string> => {
  for (let tries = 0; tries < 600; tries++) {
    try {
      const reply = await fetch(`${addressOf()}/api/v1/events/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': `event-${number}` },
        body: JSON.stringify({
          event_type: 'start',
          correlation_id: `c-${number % 7}`,
          source: 'loop',
          payload: { number },
        }),
      })
      if (reply.status === 202) return ((await reply.json()) as { event_id: string }).event_id
    } catch {
      // Nobody listens at the moment.
    }
    await sleep(100)
  }
  throw new Error('the server did not come back')
}

it('A50: after kill -9, again and again, P1, P2 and P3 hold', { timeout: 240_000 }, async () => {
  const { parallel, single } = await prepare()
  const dataDir = await tempFolder()
  const env = { DATABASE_URL: database.url, SVC_EVENT_API_KEY: key, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
  let chancery = launchChancery({ dataDir, env })
  let address = await chancery.ready
  const accepted: Promise<string>[] = []
  let number = 0
  for (let kill = 0; kill < kills; kill++) {
    for (let count = 0; count < 12; count++) {
      accepted.push(ingest(() => address, number++))
      await sleep(Math.random() * 15)
    }
    await sleep(Math.random() * 60)
    await chancery.end('SIGKILL')
    chancery = launchChancery({ dataDir, env })
    address = await chancery.ready
  }
  const eventIds = await Promise.all(accepted)
  const active = () =>
    db.selectFrom('runs').select('id').where('status', 'in', ['queued', 'running', 'waiting']).execute()
  const undispatched = () => db.selectFrom('eventDispatches').select('seq').execute()
  // One lease, and some for a busy machine.
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && ((await undispatched()).length > 0 || (await active()).length > 0)) await sleep(200)
  await until(async () => (await active()).length === 0)

  expect(new Set(eventIds).size).toBe(number)
  const runs = await db.selectFrom('runs').selectAll().execute()
  const started = await db.selectFrom('events').select('eventId').where('eventType', '=', 'start').execute()
  expect(started.map(({ eventId }) => eventId).sort()).toEqual([...eventIds].sort())
  // P1: a run for each event, and one at most.
  const parallelRuns = runs.filter(({ workflowId }) => workflowId === parallel)
  expect(parallelRuns.map(({ eventId }) => eventId).sort()).toEqual([...eventIds].sort())
  const deliveries = await db
    .selectFrom('eventDeliveries')
    .selectAll()
    .where('workflowId', 'in', [parallel, single])
    .execute()
  expect(deliveries).toHaveLength(2 * number)
  // P2: of one correlation, none begins before the one before has ended.
  const singles = runs.filter(({ workflowId }) => workflowId === single)
  for (const group of Map.groupBy(singles, ({ correlationId }) => correlationId).values()) {
    const inOrder = group.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    for (const [place, run] of inOrder.slice(1).entries())
      expect(run.createdAt.getTime()).toBeGreaterThanOrEqual(inOrder[place]?.finishedAt?.getTime() ?? Number.NaN)
  }
  // P3: every run ended well, each node succeeded once, each event was published once.
  expect(new Set(runs.map(({ status, error }) => `${status} ${error}`))).toEqual(new Set(['succeeded null']))
  const steps = await db.selectFrom('runSteps').selectAll().where('status', '=', 'succeeded').execute()
  expect(steps).toHaveLength(3 * runs.length)
  const done = await db.selectFrom('events').select('causationRunId').where('eventType', '=', 'done').execute()
  expect(done.map(({ causationRunId }) => causationRunId).sort()).toEqual(runs.map(({ id }) => id).sort())
})
