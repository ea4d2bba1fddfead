/**
 * Actions of people and other servers on runs and events, with a death of the process between every two statements:
 * each has happened in whole or not at all, and the same action again leads to the same end.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createAudit } from '#kernel/audit/audit.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { dispatched } from '#test/harness/bus.ts'
import type { Reply } from '#test/harness/client.ts'
import { createVictim, untilAtRest } from '#test/harness/failpoints.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { finished, publish, runsPath, runThrough, runWhere, startByHand } from '#test/harness/runs.ts'
import { chain, edge, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { runRetentionJob } from './ending/retention.ts'

const victim = createVictim()
const app = await testApp({ failpoints: victim })
const ana = await app.user()

const runsOf = (workflowId: string) =>
  app.db.selectFrom('runs').selectAll().where('workflowId', '=', workflowId).orderBy('createdAt').execute()
const stepsOf = (runId: string) =>
  app.db.selectFrom('runSteps').selectAll().where('runId', '=', runId).orderBy('id').execute()
/** All that a action to a run could have changed; leases are renewed whatever happens. */
const tracesOf = async (workflowId: string) => {
  const runs = await runsOf(workflowId)
  const steps = await Promise.all(runs.map(({ id }) => stepsOf(id)))
  const approvals = await app.db.selectFrom('approvals').selectAll().where('workflowId', '=', workflowId).execute()
  return { runs: runs.map((run) => ({ ...run, leaseUntil: null })), steps, approvals }
}

interface Prepared {
  workflowId: string
  perform(): Promise<Reply>
  /** Checks what must hold in the end. */
  check(): Promise<void>
}

const broken = {
  nodes: [node('first'), node('then', { fields: { x: 'state["nothing"]' } })],
  edges: [edge('first', 'then')],
}
const asking = {
  nodes: [node('ask', { title: 'Go on?' }, 'approval'), node('yes')],
  edges: [edge('ask', 'yes', 'approved')],
}
const prepareWaiting = async (graph: Parameters<typeof publish>[1]) => {
  const workflowId = await publish(ana, graph)
  const { body } = await startByHand(ana, workflowId)
  return { workflowId, run: await runWhere(ana, body.id, ({ status }) => status === 'waiting') }
}

const actions: Record<'retry' | 'approval' | 'end', () => Promise<Prepared>> = {
  retry: async () => {
    const { workflow_id: workflowId, id } = await runThrough(ana, broken)
    return {
      workflowId,
      perform: () => ana.post(`${runsPath}/${id}/retry`),
      check: async () => {
        const [before, ...again] = await runsOf(workflowId)
        expect(before).toMatchObject({ id, status: 'failed' })
        for (const run of again) {
          expect(await finished(ana, run.id)).toMatchObject({ status: 'failed', retry_of: id })
          expect((await stepsOf(run.id)).map(({ nodeId }) => nodeId).sort()).toEqual(['first', 'then'])
        }
      },
    }
  },
  approval: async () => {
    const { workflowId, run } = await prepareWaiting(asking)
    return {
      workflowId,
      perform: () => ana.post(`${runsPath}/${run.id}/approvals/${run.steps[0]?.id}`, { approved: true }),
      check: async () => expect(await finished(ana, run.id)).toMatchObject({ status: 'succeeded' }),
    }
  },
  end: async () => {
    const child = await publish(ana, { nodes: [node('hold', { seconds: 600 }, 'wait')], edges: [] })
    const { workflowId, run } = await prepareWaiting({
      nodes: [node('call', { workflow_id: child }, 'subworkflow')],
      edges: [],
    })
    await until(async () => (await runsOf(child))[0]?.status === 'waiting')
    return {
      workflowId,
      perform: () => ana.post(`${runsPath}/${run.id}/cancel`),
      check: async () => {
        expect(await finished(ana, run.id)).toMatchObject({ status: 'cancelled', steps: [{ status: 'cancelled' }] })
        // Children end after their parent.
        await until(
          async () => (await runsOf(child)).every(({ status }) => status === 'cancelled'),
          'the end of the child',
        )
      },
    }
  },
}

/** The points that an undisturbed action passes. */
const pointsOf = async (name: keyof typeof actions): Promise<string[]> => {
  const { perform, check } = await actions[name]()
  expect((await perform()).status).toBeLessThan(300)
  await check()
  return [...victim.passed].filter((point) => point.startsWith(`${name}: `))
}

describe.each([
  ['retry', 3],
  ['approval', 3],
  ['end', 4],
] as const)('a action that dies: %s', (name, count) => {
  it('has happened in whole or not at all, and can be done again', async () => {
    const points = await pointsOf(name)
    expect(points).toHaveLength(count)
    for (const point of points) {
      const { workflowId, perform, check } = await actions[name]()
      const before = await tracesOf(workflowId)
      victim.dieAt(point)
      expect((await perform()).status, point).toBe(500)
      const after = await tracesOf(workflowId)
      victim.revive()
      if (point.endsWith(': committed')) {
        expect(after, point).not.toEqual(before)
        // The dead node woke nobody. A move of the clock, even by nothing, makes it check for runs now.
        app.clock.forward({ ms: 0 })
      } else {
        expect(after, point).toEqual(before)
        expect((await perform()).status, point).toBeLessThan(300)
      }
      await check()
    }
  })
})

describe('a process that dies while it asks for an approval', () => {
  it.each(['step: steps written', 'step: approval written', 'step: approvals asked', 'step: committed'])(
    'at “%s” asks once, with one letter',
    async (point) => {
      const eve = await app.user({ isProven: true })
      const workflowId = await publish(eve, asking)
      victim.dieAt(point)
      await startByHand(eve, workflowId)
      await until(() => victim.isDead, 'the death of the process')
      await untilAtRest(app.db)
      victim.revive()
      await expireRunLeases(app.db)
      const [run] = await runsOf(workflowId)
      const waiting = await runWhere(eve, run?.id ?? '', ({ status }) => status === 'waiting')
      await app.letterTo(eve.email, 1)
      expect((await tracesOf(workflowId)).approvals).toHaveLength(1)
      const path = `${runsPath}/${waiting.id}/approvals/${waiting.steps.at(-1)?.id}`
      expect((await eve.post(path, { approved: true })).status).toBe(200)
      expect(await finished(eve, waiting.id)).toMatchObject({ status: 'succeeded' })
      expect(app.lettersTo(eve.email).filter(({ text }) => text.includes('/approvals'))).toHaveLength(1)
    },
  )
})

describe('a webhook whose receiver dies', () => {
  it.each(['publish: before the event is stored', 'publish: after the event is stored'])(
    'at “%s” is delivered again, as one event with one run',
    async (point) => {
      const workflowId = await publish(ana, chain('a'))
      const { body: hook } = await ana.post(`${workflowsPath}/${workflowId}/triggers/webhook`, { name: 'Hook' })
      const [id, seconds] = [randomUUID(), Math.floor(app.clock.now().getTime() / 1000)]
      const mac = createHmac('sha256', Buffer.from(hook.secret.slice('whsec_'.length), 'base64'))
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${mac.update(`${id}.${seconds}.{}`).digest('base64')}`,
      }
      const deliver = () => app.anonymous.send('POST', new URL(hook.url).pathname, { headers, body: '{}' })
      victim.dieAt(point)
      expect((await deliver()).status).toBe(500)
      victim.revive()
      expect((await deliver()).status).toBe(202)
      expect((await deliver()).body).toMatchObject({ duplicate: true })
      await until(async () => (await runsOf(workflowId)).length > 0)
      await dispatched(app)
      const events = await app.db
        .selectFrom('events')
        .select('eventId')
        .where('source', '=', `webhook:${hook.id}`)
        .execute()
      expect(events).toHaveLength(1)
      expect(await runsOf(workflowId)).toMatchObject([{ eventId: events[0]?.eventId }])
    },
  )
})

describe('a dead letter that is tried again by a process that dies', () => {
  it('is still there, or waits to be dispatched: never both, never neither', async () => {
    const event = { scopeId: ana.id, eventType: 'lost', source: 'test', userId: null, payload: {} }
    const { event: lost } = await app.ports.eventBus.ingest(event)
    await dispatched(app)
    const { eventId, seq } = await app.db
      .selectFrom('events')
      .select(['eventId', 'seq'])
      .where('eventId', '=', lost.eventId)
      .executeTakeFirstOrThrow()
    const letter = { id: randomUUID(), eventId, seq, scopeId: ana.id, error: 'x', attempts: 8 }
    await app.db
      .insertInto('eventDeadLetters')
      .values({ ...letter, failedAt: app.clock.now() })
      .execute()
    const retry = () => ana.post(`/api/v1/events/dead-letters/${letter.id}/retry`)
    const where = async () => {
      const find = (table: 'eventDispatches' | 'eventDeadLetters') =>
        app.db.selectFrom(table).select('eventId').where('eventId', '=', lost.eventId).execute()
      return [(await find('eventDispatches')).length, (await find('eventDeadLetters')).length]
    }
    for (const point of ['dead letter: dispatch queued', 'dead letter: deleted', 'dead letter: recorded']) {
      victim.dieAt(point)
      expect((await retry()).status, point).toBe(500)
      expect(await where(), point).toEqual([0, 1])
      victim.revive()
    }
    expect((await retry()).status).toBe(204)
    await dispatched(app)
    expect(await where()).toEqual([0, 0])
  })
})

describe('retention that dies', () => {
  it('has let go of whole batches only, and goes on the next time', async () => {
    const old = await runThrough(ana, chain('a'))
    const endless = {
      nodes: [node('hold', { until: '2100-01-01' }, 'wait')],
      edges: [],
      settings: { deadline_sec: 31_536_000 },
    }
    const { body: active } = await startByHand(ana, await publish(ana, endless))
    await runWhere(ana, active.id, ({ status }) => status === 'waiting')
    app.clock.forward({ days: 100 })
    const young = await runThrough(await app.user(), chain('a'))
    const ofRuns = runRetentionJob(
      { audit: createAudit({ clock: app.clock, ids: systemIds }), clock: app.clock, db: app.db, failpoints: victim },
      {
        settings: {
          register:
            ({ fallback }) =>
            () =>
              fallback,
        },
        auditDays: () => 0,
      },
    )
    const ofEvents = app.ports.eventBus.jobs?.find(({ name }) => name === 'events.retention')
    const context = { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') }
    for (const [job, point] of [
      [ofEvents, 'retention: allowed'],
      [ofEvents, 'retention: deleted'],
      [ofRuns, 'run retention: deleted'],
    ] as const) {
      victim.dieAt(point)
      await expect(job?.work({}, context), point).rejects.toThrow('died at')
      victim.revive()
      if (job === ofEvents) expect(await app.db.selectFrom('eventKeys').select('key').execute()).not.toEqual([])
      else expect(await stepsOf(old.id)).toEqual([])
    }
    await ofEvents?.work({}, context)
    await ofRuns.work({}, context)
    const left = await app.db.selectFrom('runs').select('id').orderBy('createdAt').execute()
    expect(left.map(({ id }) => id)).toEqual([active.id, young.id])
    expect(await stepsOf(active.id)).toMatchObject([{ status: 'waiting' }])
    expect(await app.db.selectFrom('events').select('eventId').execute()).toEqual([])
  })
})
