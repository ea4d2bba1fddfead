/** P1: a 202 is never lost, and each (event, subscription) starts at most one run, wherever the node dies. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, dispatched, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import { createVictim, forgetDeadNodes } from '#test/harness/failpoints.ts'
import { until } from '#test/kernel/until.ts'
import type { NewEvent } from './interface.ts'

const env = { SVC_EVENT_API_KEY: ingestKey }
const [victim, survivor] = [createVictim(), createVictim()]
const app = await testApp({ env, failpoints: victim })
survivor.die()
const other = await testApp({ env, failpoints: survivor, databaseUrl: app.databaseUrl })
const runs = await createRunRows(app.db)
for (const node of [app, other]) {
  node.ports.eventBus.registerRunStarter(runs.starter)
  node.ports.eventBus.registerListener(async () => undefined)
}
await subscribe(app, { filterExpr: 'payload["n"] % 3 != 0' })
await subscribe(app, { filterExpr: 'payload["n"] > 2' })
await subscribe(app, { filterExpr: 'payload["n"] % 5 == 0 or payload["nothing"]' })

const failpoints = {
  publishing: ['publish: before the event is stored', 'publish: after the event is stored'],
  dispatching: [
    'dispatch: claimed',
    'dispatch: taken',
    'dispatch: decided',
    'dispatch: runs started',
    'dispatch: decisions stored',
    'dispatch: listeners called',
    'dispatch: committed',
  ],
  failing: [
    'failure: batch claimed',
    'failure: batch split',
    'failure: started',
    'failure: dead letter stored',
    'failure: dispatch deleted',
  ],
}

const eventsOf = (correlationId: string) =>
  app.db.selectFrom('events').selectAll().where('correlationId', '=', correlationId).execute()

/** The invariants of the tables. */
const expectEachDecidedOnce = async (): Promise<void> => {
  const events = await app.db.selectFrom('events').selectAll().where('eventType', '=', 'order_created').execute()
  const deliveries = await app.db.selectFrom('eventDeliveries').selectAll().execute()
  const all = await runs.list()
  expect(deliveries).toHaveLength(events.length * 3)
  const fired = deliveries.filter(({ decision }) => decision === 'fired')
  expect(all.map(({ id }) => id).sort()).toEqual(fired.map(({ runId }) => runId).sort())
  const pairs = all.map(({ eventId, subscriptionId }) => `${eventId} ${subscriptionId}`)
  expect(new Set(pairs).size).toBe(pairs.length)
}

describe('a node that dies', () => {
  it.each(
    [...failpoints.publishing, ...failpoints.dispatching].flatMap((failpoint) =>
      [1, 2].map((time) => [failpoint, time] as const),
    ),
  )('at “%s”, the %i. time, loses no accepted event and starts no run twice', async (failpoint, time) => {
    const run = randomUUID()
    victim.dieAt(failpoint, time)
    const send = (node: typeof app, n: number) =>
      ingest(node, { correlation_id: run, event_id: `${run}-${n}`, payload: { n } })
    const accepted: string[] = []
    for (let round = 0; round < 40 && !victim.isDead; round += 1) {
      const numbers = Array.from({ length: 4 }, (_, index) => round * 4 + index)
      const replies = await Promise.all(numbers.map((n) => send(app, n)))
      for (const { status, body } of replies) if (status === 202) accepted.push(body.event_id)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await until(() => victim.isDead, 'the death of the node')

    survivor.revive()
    const again = await Promise.all(Array.from({ length: 8 }, (_, n) => send(other, n)))
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 202))
    await forgetDeadNodes(app.db)
    await dispatched(app)
    const stored = (await eventsOf(run)).map(({ eventId }) => eventId)
    expect(stored).toEqual(expect.arrayContaining(accepted))
    const keys = await app.db.selectFrom('eventKeys').select('eventId').where('key', 'like', `${run}%`).execute()
    expect(keys.map(({ eventId }) => eventId).sort()).toEqual(stored.sort())
    await expectEachDecidedOnce()

    survivor.die()
    victim.revive()
    await forgetDeadNodes(app.db)
  })

  it.each(failpoints.publishing)(
    'at “%s” in a transaction leaves neither its action nor its event',
    async (failpoint) => {
      const correlationId = randomUUID()
      const event: NewEvent = {
        scopeId: instanceScope,
        eventType: 'emitted',
        source: 'test',
        userId: null,
        payload: {},
        correlationId,
      }
      victim.dieAt(failpoint)
      const action = app.db.transaction().execute((tx) => app.ports.eventBus.publish(tx, [event]))
      await expect(action).rejects.toThrow('died at')
      victim.revive()
      expect(await eventsOf(correlationId)).toEqual([])
    },
  )

  it.each(failpoints.failing)('at “%s” keeps a failing event either queued or as a dead letter', async (failpoint) => {
    for (const node of [app, other])
      node.ports.eventBus.registerRunStarter({ ...runs.starter, start: () => Promise.reject(new Error('broken')) })
    const run = randomUUID()
    const { body } = await ingest(app, { correlation_id: run, payload: { n: 4 } })
    victim.dieAt(failpoint)
    const where = async () => {
      const { rows } = await sql<{ waiting: number; dead: number }>`
        select (select count(*) from event_batches b where e.seq = any(b.seqs))
          + (select count(*) from event_dispatches d where d.seq = e.seq) as waiting,
          (select count(*) from event_dead_letters l where l.event_id = e.event_id) as dead
        from events e where e.event_id = ${body.event_id}`.execute(app.db)
      return [rows[0]?.waiting, rows[0]?.dead]
    }
    await until(async () => {
      app.clock.forward({ minutes: 6 })
      app.ports.eventBus.wake()
      return victim.isDead
    }, 'the death of the node')
    expect(await where()).toEqual([1, 0])
    survivor.revive()
    await forgetDeadNodes(app.db)
    other.clock.forward({ days: 1 })
    await until(async () => {
      other.clock.forward({ minutes: 6 })
      other.ports.eventBus.wake()
      return (await where())[0] === 0
    }, 'the dead letter')
    expect(await where()).toEqual([0, 1])
    survivor.die()
    victim.revive()
    await forgetDeadNodes(app.db)
  })

  it('was tried at every failpoint', () => {
    // `dispatch/postponed.test.ts` dies at this one too.
    const ours = [...victim.passed].filter(
      (failpoint) => /^(publish|dispatch|failure):/.test(failpoint) && failpoint !== 'dispatch: events postponed',
    )
    expect(ours.sort()).toEqual(Object.values(failpoints).flat().sort())
  })
})

it('publishes an event with a derived id once, however often it is published', async () => {
  survivor.revive()
  const [eventId, correlationId] = [randomUUID(), randomUUID()]
  const event: NewEvent = {
    eventId,
    correlationId,
    scopeId: instanceScope,
    eventType: 'emitted',
    source: 'test',
    userId: null,
    payload: { from: 'a node that runs again' },
  }
  /** Each attempt names another source, so the replies show which one was stored. */
  const publish = (node: typeof app, source: string) =>
    node.db.transaction().execute((tx) => node.ports.eventBus.publish(tx, [{ ...event, source }]))
  const attempts = [publish(app, 'a'), publish(other, 'b'), publish(app, 'c'), publish(other, 'd')]
  const replies = (await Promise.all(attempts)).flat()
  expect(replies.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
  expect(new Set(replies.map(({ event: { source } }) => source)).size).toBe(1)
  expect(await eventsOf(correlationId)).toHaveLength(1)
})
