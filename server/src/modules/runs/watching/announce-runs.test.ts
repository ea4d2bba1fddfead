/** Runs as metrics count them on this node, and as watchers of a workflow hear of them on every node. */
import { randomUUID } from 'node:crypto'
import { runsTopic, socketEvent, topicChanged, watchMessage } from '@chancery/contract/chats/events.ts'
import type { Socket } from 'socket.io-client'
import { describe, expect, it } from 'vitest'
import type { Db } from '#kernel/db/database.ts'
import { createLog } from '#kernel/log.ts'
import { createTasks } from '#kernel/tasks.ts'
import { testApp } from '#test/harness/app.ts'
import { finished, publish, runThrough, runWhere, startByHand } from '#test/harness/runs.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { chain, makeWorkflow, node, publishWorkflow } from '#test/harness/workflows.ts'
import { measureRunsUnscoped } from '../queries/measure-runs.ts'
import { createRunAnnouncer } from './announce-runs.ts'

const app = await testApp()
/** It runs nothing: the hooks count what runs on the first. */
const elsewhere = await testApp({ databaseUrl: app.databaseUrl, env: { SVC_ROLE: 'api' } })
const [here, there] = [createSockets(app.url), createSockets(elsewhere.url)]

describe('the hooks of runs', () => {
  const counts = new Map<string, number>()
  app.ports.runs.onTransition((transition, count) => counts.set(transition, (counts.get(transition) ?? 0) + count))

  it('count each run as claimed and as ended, by how it ended', async () => {
    const ana = await app.user()
    counts.clear()
    await runThrough(ana, { nodes: [node('only')], edges: [] })
    await runThrough(ana, { nodes: [node('bad', { fields: { x: '1 / 0' } })], edges: [] })
    expect(Object.fromEntries(counts)).toEqual({ claimed: 2, succeeded: 1, failed: 1 })
  })

  it('count a run that waits as parked, and a cancelled one as cancelled', async () => {
    const ana = await app.user()
    counts.clear()
    const id = await publish(ana, { nodes: [node('hold', { seconds: 600 }, 'wait')], edges: [] })
    const { body } = await startByHand(ana, id)
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    const measured = await measureRunsUnscoped(app.db, app.clock.now())
    expect(measured).toEqual({ queued: 0, running: 0, waiting: 1, due: 0, oldestDueMs: 0 })
    expect((await ana.post(`/api/v1/agent-runs/${body.id}/cancel`)).status).toBe(200)
    expect(Object.fromEntries(counts)).toEqual({ claimed: 1, parked: 1, cancelled: 1 })
  })
})

const watch = async (socket: Socket, id: string) => {
  const told: unknown[] = []
  socket.on(socketEvent, ({ data }) => told.push(data))
  return { told, reply: await socket.emitWithAck(watchMessage, { topic: runsTopic, id }) }
}

it('tells those who watch a workflow, on every node, that a run of it changed, and nobody else', async () => {
  const [ana, bea, carl] = [
    await app.user({ org: 'acme' }),
    await app.user({ org: 'acme' }),
    await app.user({ org: 'other' }),
  ]
  const { id } = await makeWorkflow(ana, chain('a'), 'Watched')
  const { id: quiet } = await makeWorkflow(ana, chain('a'), 'Quiet')
  await publishWorkflow(ana, id)
  const own = await watch(await here.connectAs(bea), id)
  const far = await watch(await there.connectAs(ana), id)
  const still = await watch(await here.connectAs(ana), quiet)
  const foreign = await watch(await here.connectAs(carl), id)
  const nothing = await watch(await here.connectAs(ana), 'not-an-id')
  expect([own, far, still, foreign, nothing].map(({ reply }) => reply.watching)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])

  // Once, when the other node has learned that somebody watches here.
  const changeOf = (workflowId: string) => ({ type: topicChanged, data: { topic: runsTopic, id: workflowId } })
  for (const [{ told }, workflowId] of [
    [own, id],
    [far, id],
    [still, quiet],
  ] as const) {
    await expect.poll(() => told, { timeout: 5000 }).toContainEqual(changeOf(workflowId))
    told.length = 0
  }

  const { body: run } = await startByHand(ana, id)
  await finished(ana, run.id)
  const change = changeOf(id)
  await expect.poll(() => own.told).toContainEqual(change)
  await expect.poll(() => far.told).toContainEqual(change)
  expect([foreign.told, nothing.told]).toEqual([[], []])
  expect(still.told).not.toContainEqual(expect.objectContaining({ type: topicChanged }))
})

it('announces every watched workflow a little later when the changes couldn’t be read', async () => {
  const watched = [randomUUID(), randomUUID()]
  const announced: string[] = []
  let reads = 0
  const db: Db = Object.create(app.db, {
    getExecutor: {
      value: () => {
        reads += 1
        if (reads === 1) throw new Error('The connection was lost.')
        return app.db.getExecutor()
      },
    },
  })
  const change = Promise.withResolvers<(runIds: readonly string[] | undefined) => void>()
  createRunAnnouncer({
    kernel: { db, tasks: createTasks(createLog('silent')) },
    realtime: {
      topics: {
        register: () => {},
        isWatched: () => true,
        watched: () => watched,
        announce: (_, id) => announced.push(id),
      },
    },
    notifier: { onChange: change.resolve },
    definitions: { isOwn: async () => true },
    retryMs: 20,
  })
  const tell = await change.promise
  tell([randomUUID()])
  await expect.poll(() => announced).toEqual(watched)
})
