/**
 * A due time whose workflow is deleted meanwhile, or whose node dies on the way: nothing of a deleted workflow is left
 * under way, and a due time fires once, with one run, whatever happens.
 */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { isBlocked } from '#test/harness/locks.ts'
import { runWhere, startByHand } from '#test/harness/runs.ts'
import { workflowsPath as base, chain, makePublished, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const passed = new Set<string>()
/** The failpoint where the next that comes by dies. */
let armed: string | undefined
let crashes = 0
/** The failpoint where the next that comes by is held up. */
let gate: { point: string; reached(): void; opened: Promise<void> } | undefined
const app = await testApp({
  env: { LOG_LEVEL: 'error' },
  failpoints: {
    hit: (point) => {
      passed.add(point)
      if (point === armed) {
        armed = undefined
        crashes += 1
        throw new Error(`crashed at ${point}`)
      }
      if (gate?.point !== point) return
      const { reached, opened } = gate
      gate = undefined
      reached()
      return opened
    },
  },
})
const ana = await app.user()

/** Answers when somebody is there, and how to let them go on. */
const holdAt = (point: string) => {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  gate = { point, reached: reached.resolve, opened: opened.promise }
  return { reached: reached.promise, open: opened.resolve }
}

/** Its runs go on until somebody ends them. */
const endless = {
  nodes: [node('hold', { until: '2100-01-01' }, 'wait')],
  edges: [],
  settings: { deadline_sec: 31_536_000 },
}
const makeDue = async () => {
  const { id } = await makePublished(ana, endless)
  const { status, body } = await ana.post(`${base}/${id}/triggers/cron`, { name: 'Hourly', cron: '0 * * * *' })
  expect(status).toBe(201)
  return { id, triggerId: body.id as string }
}
const remove = (id: string) => ana.delete(`${base}/${id}`)
const firesOf = (triggerId: string) =>
  app.db.selectFrom('cronFires').select(['dueAt', 'runId']).where('triggerId', '=', triggerId).execute()
/** A move of the clock, even by nothing, makes the node check now. */
const hasFired = (triggerId: string) =>
  until(async () => {
    app.clock.forward({ ms: 0 })
    return (await firesOf(triggerId)).length > 0
  }, 'the fire')

/** Answers the states of its runs, once it is gone. */
const expectGone = async ({ id, triggerId }: { id: string; triggerId: string }) => {
  expect((await ana.get(`${base}/${id}`)).status).toBe(404)
  expect(await app.db.selectFrom('cronTriggers').select('id').where('id', '=', triggerId).execute()).toEqual([])
  expect(await firesOf(triggerId)).toEqual([])
  const runs = await app.db.selectFrom('runs').select('status').where('workflowId', '=', id).execute()
  return runs.map(({ status }) => status)
}
const failures = () => app.logLines.filter((line) => line.includes('workflows.cron'))

describe('a workflow that is deleted while its time comes', () => {
  it.each(['claimed', 'recorded', 'runs made', 'moved on'])(
    'waits for a due time that is being fired (%s), and ends its run',
    async (point) => {
      const due = await makeDue()
      const firing = holdAt(`cron: ${point}`)
      app.clock.forward({ minutes: 60 })
      await firing.reached
      const removal = remove(due.id)
      await until(() => isBlocked(app.db), 'the deletion to wait')
      firing.open()
      expect((await removal).status).toBe(204)
      expect(await expectGone(due)).toEqual(['cancelled'])
      expect(failures()).toEqual([])
    },
  )

  it('is passed over by the clock, which fires the others meanwhile', async () => {
    const [due, other] = [await makeDue(), await makeDue()]
    const { body: run } = await startByHand(ana, due.id)
    await runWhere(ana, run.id, ({ status }) => status === 'waiting')
    const deletion = holdAt('end: runs ended')
    const removal = remove(due.id)
    await deletion.reached
    app.clock.forward({ minutes: 60 })
    await hasFired(other.triggerId)
    expect(await firesOf(due.triggerId)).toEqual([])
    deletion.open()
    expect((await removal).status).toBe(204)
    expect(await expectGone(due)).toEqual(['cancelled'])
    expect(failures()).toEqual([])
    await remove(other.id)
  })

  it('is fired after all when somebody held it without deleting it', async () => {
    const [due, other] = [await makeDue(), await makeDue()]
    await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('workflows').select('id').where('id', '=', due.id).forUpdate().execute()
      app.clock.forward({ minutes: 60 })
      await hasFired(other.triggerId)
      expect(await firesOf(due.triggerId)).toEqual([])
    })
    await hasFired(due.triggerId)
    expect(await firesOf(due.triggerId)).toEqual([{ dueAt: expect.any(Date), runId: expect.any(String) }])
    for (const { id } of [due, other]) await remove(id)
  })

  it('leaves nothing behind, though many go while all of them are due', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, makeDue))
    const removals = all.map(async ({ id }, index) => {
      if (index % 3 === 0) app.clock.forward({ minutes: 6 })
      await until(() => Math.random() < 0.2)
      return (await remove(id)).status
    })
    expect(await Promise.all(removals)).toEqual(all.map(() => 204))
    const states = (await Promise.all(all.map(expectGone))).flat()
    expect(states.every((status) => status === 'cancelled')).toBe(true)
    expect(failures()).toEqual([])
  })
})

/** Makes a trigger, lets it come due, and answers what is left of it. */
const fire = async () => {
  const { id } = await makePublished(ana, chain('a'))
  const trigger = (await ana.post(`${base}/${id}/triggers/cron`, { name: 'Nightly', cron: '0 3 * * *' })).body
  app.clock.forward({ ms: trigger.next_times[0] * 1000 + 1000 - app.clock.now().getTime() })
  const findRow = () =>
    app.db.selectFrom('cronTriggers').select('nextAt').where('id', '=', trigger.id).executeTakeFirstOrThrow()
  await until(async () => {
    // After a death the next check finds it, and this makes the node check now.
    app.clock.forward({ ms: 0 })
    return (await findRow()).nextAt?.getTime() === trigger.next_times[1] * 1000
  })
  const fires = await app.db.selectFrom('cronFires').selectAll().where('triggerId', '=', trigger.id).execute()
  const runs = await app.db.selectFrom('runs').select('id').where('workflowId', '=', id).execute()
  // Off, so that the next one finds itself alone.
  await ana.delete(`${base}/${id}/triggers/${trigger.id}`)
  return { fires: fires.map(({ runId }) => runId), runs: runs.map((run) => run.id) }
}

it('fires a due time once though the node dies anywhere on the way', async () => {
  await fire()
  const points = [...passed].filter((point) => point.startsWith('cron: '))
  expect(points).toHaveLength(5)
  for (const point of points) {
    armed = point
    const { fires, runs } = await fire()
    expect(armed, point).toBeUndefined()
    expect(fires, point).toEqual(runs)
    expect(runs, point).toHaveLength(1)
  }
  expect(crashes).toBe(points.length)
})
