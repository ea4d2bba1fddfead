/** A due time with a crash between every two statements of its firing: it fires once, with one run, whatever happens. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { workflowsPath as base, chain, makePublished } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const passed = new Set<string>()
let armed: string | undefined
let crashes = 0
const app = await testApp({
  failpoints: {
    hit: (point) => {
      passed.add(point)
      if (point !== armed) return
      armed = undefined
      crashes += 1
      throw new Error(`crashed at ${point}`)
    },
  },
})
const ana = await app.user()

/** Makes a trigger, lets it come due, and answers what is left of it. */
const fire = async () => {
  const { id } = await makePublished(ana, chain('a'))
  const trigger = (await ana.post(`${base}/${id}/triggers/cron`, { name: 'Nightly', cron: '0 3 * * *' })).body
  app.clock.forward({ ms: trigger.next_times[0] * 1000 + 1000 - app.clock.now().getTime() })
  const findRow = () =>
    app.db.selectFrom('cronTriggers').select('nextAt').where('id', '=', trigger.id).executeTakeFirstOrThrow()
  await until(async () => ((await findRow()).nextAt?.getTime() ?? 0) === trigger.next_times[1] * 1000)
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
