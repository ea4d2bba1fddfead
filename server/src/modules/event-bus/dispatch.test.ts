import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { AppError } from '#kernel/errors.ts'
import { instanceScope, scopeOf } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, deliveriesOf, dispatched, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import { makeWorkflow } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import type { NewEvent } from './interface.ts'

const env = { SVC_EVENT_API_KEY: ingestKey }
const app = await testApp({ env })
const runs = await createRunRows(app.db)
const bus = app.ports.eventBus
bus.registerRunStarter(runs.starter)

/** A type that no other test uses. */
const freshType = (): string => `type_${randomUUID().replaceAll('-', '')}`

const runsOf = async (eventId: string) => (await runs.list()).filter((run) => run.eventId === eventId)

describe('an event', () => {
  it('starts one run for each subscription that wants it, and each decision can be read', async () => {
    const eventType = freshType()
    const ana = await app.user()
    const scopeId = ana.id
    const { id: workflowId } = await makeWorkflow(ana, undefined, 'Large orders')
    const filterExpr = 'payload["amount"] > 1000'
    const fires = await subscribe(app, { scopeId, eventType, name: 'a', workflowId, filterExpr })
    const skips = await subscribe(app, { scopeId, eventType, name: 'b', filterExpr: 'event["source"] == "erp"' })
    const errs = await subscribe(app, { scopeId, eventType, name: 'c', filterExpr: 'payload["missing"]' })
    await subscribe(app, { scopeId, eventType, name: 'd', enabled: false })
    await subscribe(app, { scopeId, eventType: freshType(), name: 'e' })

    const { body } = await ingest(app, { event_type: eventType, source: 'crm', payload: { amount: 1200 } })
    await dispatched(app)
    const { body: seen } = await ana.get(`/api/v1/events/${body.event_id}/deliveries`)
    const [run] = await runsOf(body.event_id)
    expect(seen).toMatchObject({
      pending: false,
      data: [
        { subscription_id: fires.id, workflow_name: 'Large orders', decision: 'fired', run_id: run?.id, reason: null },
        { subscription_id: skips.id, decision: 'filter_false', run_id: null, reason: null },
        { subscription_id: errs.id, decision: 'filter_error', run_id: null, reason: expect.stringMatching(/KeyError/) },
      ],
    })
    expect(await runsOf(body.event_id)).toHaveLength(1)
  })

  it('has an outcome for its readers: no subscriber, nothing started, runs, failed or waiting', async () => {
    const [eventType, unknownType] = [freshType(), freshType()]
    const [ana, ben] = [await app.user(), await app.user()]
    await subscribe(app, { scopeId: ana.id, eventType, name: 'a', filterExpr: 'payload["n"] > 1' })
    const publish = async (type: string, payload: unknown) =>
      (await ingest(app, { event_type: type, payload })).body.event_id as string
    const ids = [
      await publish(unknownType, {}),
      await publish(eventType, { n: 1 }),
      await publish(eventType, {}),
      await publish(eventType, { n: 2 }),
    ]
    await dispatched(app)
    const outcomes = async (person = ana) => {
      const { body } = await person.get(`/api/v1/events/outcomes?event_ids=${ids.join()}`)
      return body.data.map(({ outcome, runs }: { outcome: string; runs: number }) => `${outcome} ${runs}`)
    }
    expect(await outcomes()).toEqual(['no_subscriber 0', 'not_started 0', 'failed 0', 'started 1'])
    // Events of the instance are seen by everybody, what others do with them is not.
    expect(await outcomes(ben)).toEqual(Array(4).fill('no_subscriber 0'))

    const [run] = await runsOf(ids[3] ?? '')
    await sql`insert into runs (id, workflow_id, workflow_name, version_id, version, graph_hash, scope_id, status,
        trigger_kind, input, deadline_at, created_at, finished_at)
      values (${run?.id}, gen_random_uuid(), 'a', gen_random_uuid(), 1, 'h', ${ana.id}, 'failed', 'event', '{}', now(),
        now(), now())`.execute(app.db)
    expect((await outcomes())[3]).toBe('failed 1')
    const { seq } = await app.db
      .selectFrom('events')
      .select('seq')
      .where('eventId', '=', ids[0] ?? '')
      .executeTakeFirstOrThrow()
    const later = new Date(app.clock.now().getTime() + 3_600_000)
    await app.db
      .insertInto('eventDispatches')
      .values({ seq, eventId: ids[0] ?? '', dueAt: later, lastError: null })
      .execute()
    expect((await outcomes())[0]).toBe('waiting 0')
    await app.db.deleteFrom('eventDispatches').where('seq', '=', seq).execute()
    expect((await outcomes())[0]).toBe('no_subscriber 0')
    expect((await ana.get('/api/v1/events/outcomes?event_ids=all')).status).toBe(422)
  })

  it('is seen by filters with its seven fields and two short names', async () => {
    const eventType = freshType()
    const filterExpr =
      'event["id"] == event["event_id"] and event["type"] == event["event_type"] and event["payload"] == payload ' +
      'and event["correlation_id"] == "c-1" and event["user_id"] is None and event["published_at"] > 1000000000000 ' +
      'and event["source"] == "api" and len(event) == 9'
    await subscribe(app, { eventType, filterExpr })
    const { body } = await ingest(app, { event_type: eventType, correlation_id: 'c-1', payload: { a: [1] } })
    await dispatched(app)
    expect(await deliveriesOf(app, body.event_id)).toMatchObject([{ decision: 'fired' }])
  })

  it('is decided for a thousand subscriptions in one pass', async () => {
    const eventType = freshType()
    const { id, ...first } = await subscribe(app, { eventType, filterExpr: 'payload["n"] % 2 == 0' })
    const others = Array.from({ length: 999 }, (_, index) => ({
      ...first,
      id: randomUUID(),
      workflowId: randomUUID(),
      filterExpr: `payload["n"] % 2 == ${(index + 1) % 2}`,
    }))
    await app.db.insertInto('subscriptions').values(others).execute()
    const { body } = await ingest(app, { event_type: eventType, payload: { n: 7 } })
    await dispatched(app)
    const decisions = (await deliveriesOf(app, body.event_id)).map(({ decision }) => decision)
    expect(decisions.filter((decision) => decision === 'fired')).toHaveLength(500)
    expect(decisions.filter((decision) => decision === 'filter_false')).toHaveLength(500)
    expect(await runsOf(body.event_id)).toHaveLength(500)
  })

  it('of a scope is matched in that scope alone; one of the instance in all (P6)', async () => {
    const eventType = freshType()
    const [ana, bob] = [await app.user(), await app.user({ org: 'matching' })]
    const [anas, bobs] = [
      await subscribe(app, { eventType, scopeId: scopeOf(ana) }),
      await subscribe(app, { eventType, scopeId: scopeOf(bob) }),
    ]
    const { body: key } = await ana.post('/api/v1/api-keys', { name: 'k' })
    const own = await ingest(app, { event_type: eventType }, { 'x-api-key': key.key })
    const everybodys = await ingest(app, { event_type: eventType })
    await dispatched(app)
    const subscribersOf = async (eventId: string) =>
      (await deliveriesOf(app, eventId)).map(({ subscriptionId }) => subscriptionId)
    expect(await subscribersOf(own.body.event_id)).toEqual([anas.id])
    expect(await subscribersOf(everybodys.body.event_id)).toEqual([anas.id, bobs.id].sort())
    const shown = async (person: typeof ana) =>
      (await person.get(`/api/v1/events/${everybodys.body.event_id}/deliveries`)).body.data.map(
        (one: { subscription_id: string }) => one.subscription_id,
      )
    expect([await shown(ana), await shown(bob)]).toEqual([[anas.id], [bobs.id]])
    expect((await bob.get(`/api/v1/events/${own.body.event_id}/deliveries`)).status).toBe(404)
  })

  it('is matched against current subscriptions, also on a node that had older ones in memory', async () => {
    const eventType = freshType()
    const other = await testApp({ env, databaseUrl: app.databaseUrl })
    const decisionFor = async () => {
      const { body } = await ingest(app, { event_type: eventType })
      await dispatched(app)
      return (await deliveriesOf(app, body.event_id)).map(({ decision }) => decision)
    }
    expect(await decisionFor()).toEqual([])
    const { id } = await subscribe(other, { eventType, filterExpr: 'False' })
    expect(await decisionFor()).toEqual(['filter_false'])
    const change = (patch: object) => app.db.transaction().execute((tx) => bus.updateSubscription(tx, id, patch))
    await change({ filterExpr: '1 / 0' })
    expect(await decisionFor()).toEqual(['filter_error'])
    await change({ enabled: false })
    expect(await decisionFor()).toEqual([])
    await change({ enabled: true, filterExpr: null })
    await app.db.transaction().execute((tx) => bus.deleteSubscription(tx, id))
    expect(await decisionFor()).toEqual([])
    await other.stop()
  })

  it('that is dispatched again changes nothing', async () => {
    const eventType = freshType()
    await subscribe(app, { eventType })
    const { body } = await ingest(app, { event_type: eventType })
    await dispatched(app)
    const before = await deliveriesOf(app, body.event_id)
    const { seq } = await app.db
      .selectFrom('events')
      .select('seq')
      .where('eventId', '=', body.event_id)
      .executeTakeFirstOrThrow()
    await app.db
      .insertInto('eventDispatches')
      .values({ seq, eventId: body.event_id, dueAt: app.clock.now(), lastError: null })
      .execute()
    await dispatched(app)
    expect(await deliveriesOf(app, body.event_id)).toEqual(before)
    expect(await runsOf(body.event_id)).toHaveLength(1)
  })
})

describe('a subscription', () => {
  it('with a filter that is not an expression is refused, with line and column', async () => {
    const refused = await subscribe(app, { filterExpr: 'payload["a"] > 1 and\nimport os' }).catch((error) => error)
    expect(refused).toBeInstanceOf(AppError)
    expect(refused).toMatchObject({
      code: 'filter_invalid',
      status: 422,
      problems: [{ loc: ['body', 'filter_expr'], line: expect.any(Number), column: expect.any(Number) }],
    })
  })
})

describe('the loop guard', () => {
  const publishFrom = async (cause: { hop: number; chain: string[] }, eventType: string, correlationId = 'loop') => {
    const [{ event } = { event: undefined }] = await app.db.transaction().execute((tx) =>
      bus.publish(tx, [
        {
          scopeId: instanceScope,
          eventType,
          source: 'workflow:x',
          correlationId,
          userId: null,
          payload: {},
          cause: { runId: randomUUID(), rootEventId: randomUUID(), ...cause },
        },
      ]),
    )
    bus.wake()
    await dispatched(app)
    return deliveriesOf(app, event?.eventId ?? '')
  }

  it('stops an event that came through more than ten runs', async () => {
    const eventType = freshType()
    await subscribe(app, { eventType })
    expect(await publishFrom({ hop: 10, chain: [] }, eventType)).toMatchObject([{ decision: 'fired' }])
    expect(await publishFrom({ hop: 11, chain: [] }, eventType)).toMatchObject([
      { decision: 'loop_guard', runId: null, reason: expect.stringContaining('11 runs') },
    ])
  })

  it('does not let a workflow start itself through others, unless its subscription allows it', async () => {
    const eventType = freshType()
    const careful = await subscribe(app, { eventType })
    expect(await publishFrom({ hop: 2, chain: [randomUUID(), careful.workflowId] }, eventType)).toMatchObject([
      { decision: 'loop_guard', reason: expect.stringContaining('among those') },
    ])
    await app.db.transaction().execute((tx) => bus.updateSubscription(tx, careful.id, { allowReentry: true }))
    expect(await publishFrom({ hop: 2, chain: [careful.workflowId] }, eventType)).toMatchObject([{ decision: 'fired' }])
  })

  const decisionsOf = async (...workflowIds: string[]) => {
    await dispatched(app)
    const rows = await app.db
      .selectFrom('eventDeliveries')
      .select('decision')
      .where('workflowId', 'in', workflowIds)
      .execute()
    const { fired = [], loop_guard: stopped = [] } = Object.groupBy(rows, ({ decision }) => decision)
    return { fired: fired.length, stopped: stopped.length }
  }
  const eventsOf = (count: number, event: Pick<NewEvent, 'eventType' | 'correlationId' | 'cause'>): NewEvent[] =>
    Array.from({ length: count }, () => ({
      scopeId: instanceScope,
      source: 'test',
      userId: null,
      payload: {},
      ...event,
    }))
  const cause = () => ({ runId: randomUUID(), rootEventId: randomUUID(), hop: 1, chain: [] })
  const publish = async (events: NewEvent[]): Promise<void> => {
    await app.db.transaction().execute((tx) => bus.publish(tx, events))
    bus.wake()
  }

  it('lets runs start one workflow a hundred times a minute for one correlation id, and again a minute later', async () => {
    const eventType = freshType()
    const { workflowId } = await subscribe(app, { eventType })
    const event = { eventType, correlationId: randomUUID(), cause: cause() }
    await publish(eventsOf(70, event))
    await dispatched(app)
    await publish(eventsOf(70, event))
    expect(await decisionsOf(workflowId)).toEqual({ fired: 100, stopped: 40 })
    await publish(eventsOf(1, { ...event, correlationId: 'another' }))
    // Events from outside are counted separately.
    await publish(eventsOf(1, { eventType, correlationId: event.correlationId }))
    expect(await decisionsOf(workflowId)).toEqual({ fired: 102, stopped: 40 })
    app.clock.forward({ minutes: 2 })
    await publish(eventsOf(1, event))
    expect(await decisionsOf(workflowId)).toEqual({ fired: 103, stopped: 40 })
  })

  it('stops one workflow after a thousand runs a minute from outside events, which may be a loop through other servers', async () => {
    const eventType = freshType()
    const { workflowId } = await subscribe(app, { eventType })
    const event = { eventType, correlationId: randomUUID() }
    await publish(eventsOf(1, { ...event, cause: cause() }))
    await publish(eventsOf(500, event))
    expect(await decisionsOf(workflowId)).toEqual({ fired: 501, stopped: 0 })
    await publish(eventsOf(510, event))
    expect(await decisionsOf(workflowId)).toEqual({ fired: 1001, stopped: 10 })
  })

  it('A48: stops a fan-out that repeats at each of its ends, with a decision for each', async () => {
    const [first, second] = [freshType(), freshType()]
    const [source, ...ends] = await Promise.all([
      subscribe(app, { eventType: first }),
      ...Array.from({ length: 40 }, () => subscribe(app, { eventType: second })),
    ])
    const correlationId = randomUUID()
    await publish(eventsOf(1, { eventType: first, correlationId }))
    expect(await decisionsOf(source.workflowId)).toEqual({ fired: 1, stopped: 0 })
    await publish(eventsOf(40, { eventType: second, correlationId, cause: cause() }))
    const workflowIds = ends.map((end) => end.workflowId)
    expect(await decisionsOf(...workflowIds)).toEqual({ fired: 1000, stopped: 600 })
    const reasons = await app.db
      .selectFrom('eventDeliveries')
      .select('reason')
      .distinct()
      .where('workflowId', 'in', workflowIds)
      .where('decision', '=', 'loop_guard')
      .execute()
    expect(reasons).toEqual([{ reason: expect.stringContaining('led to each other') }])
  })
})

describe('a port that fails', () => {
  it('costs only its own event retries and finally a dead letter', async () => {
    const [bad, good] = [freshType(), freshType()]
    const boss = await app.user({ org: 'failing' })
    const [owner, member] = [await app.platformOwner(), await app.user({ org: 'failing' })]
    const stranger = await app.user({ org: 'another company' })
    let isBroken = true
    bus.registerRunStarter({
      ...runs.starter,
      start: async (tx, firings) => {
        if (isBroken && firings.some(({ event }) => event.eventType === bad)) throw new Error('a secret inside')
        return runs.starter.start(tx, firings)
      },
    })
    for (const eventType of [bad, good]) await subscribe(app, { eventType, scopeId: scopeOf(boss) })
    const { body: key } = await boss.post('/api/v1/api-keys', { name: 'k' })
    const publish = (event_type: string) => ingest(app, { event_type }, { 'x-api-key': key.key })
    const [stuck, fine] = await Promise.all([publish(bad), publish(good)])
    await until(async () => (await runsOf(fine.body.event_id)).length === 1, 'the run of the good event')
    expect((await boss.get(`/api/v1/events/${stuck.body.event_id}/deliveries`)).body).toEqual({
      data: [],
      pending: true,
    })

    await until(async () => {
      app.clock.forward({ minutes: 6 })
      bus.wake()
      return (await boss.get('/api/v1/events/dead-letters')).body.total === 1
    }, 'a dead letter')
    const { body: letters } = await boss.get('/api/v1/events/dead-letters')
    expect(letters.items).toMatchObject([{ event: { event_id: stuck.body.event_id }, attempts: 8 }])
    expect(JSON.stringify(letters)).not.toContain('a secret inside')
    expect((await owner.get('/api/v1/events/dead-letters')).body.total).toBe(1)
    expect((await stranger.get('/api/v1/events/dead-letters')).body).toEqual({ items: [], total: 0 })
    expect((await member.get('/api/v1/events/dead-letters')).status).toBe(403)

    const { id } = letters.items[0]
    expect((await stranger.post(`/api/v1/events/dead-letters/${id}/retry`)).status).toBe(404)
    isBroken = false
    expect((await boss.post(`/api/v1/events/dead-letters/${id}/retry`)).status).toBe(204)
    await dispatched(app)
    expect(await runsOf(stuck.body.event_id)).toHaveLength(1)
    expect((await boss.get('/api/v1/events/dead-letters')).body.total).toBe(0)
    expect((await boss.delete(`/api/v1/events/dead-letters/${id}`)).status).toBe(404)
    bus.registerRunStarter(runs.starter)
  })

  it.each(['53100', '53300', '25006'])('because nothing can be written (%s) makes no dead letter', async (code) => {
    const eventType = freshType()
    await subscribe(app, { eventType })
    let failures = 0
    bus.registerRunStarter({
      ...runs.starter,
      start: async (tx, firings) => {
        if (failures === 12) return runs.starter.start(tx, firings)
        failures += 1
        throw Object.assign(new Error('could not extend file'), { code })
      },
    })
    const { body } = await ingest(app, { event_type: eventType })
    const wakeAndLook = () => {
      app.clock.forward({ minutes: 6 })
      bus.wake()
      return runsOf(body.event_id)
    }
    await expect.poll(wakeAndLook, { interval: 5, timeout: 60_000 }).toHaveLength(1)
    expect(failures).toBe(12)
    bus.registerRunStarter(runs.starter)
  })
})
