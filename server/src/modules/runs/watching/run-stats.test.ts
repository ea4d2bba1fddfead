/** Statistics of a workflow: the same whether its runs were folded or not, and without tests. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { finished, publish, runWhere, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { node, workflowsPath } from '#test/harness/workflows.ts'
import { runHoursJob } from './run-stats.ts'

const app = await sharedApp()
const ana = await app.user()
const job = runHoursJob({ kernel: app, definitions: { allIds: sql`select id from workflows` } })
const fold = () =>
  job.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })

describe('the statistics of a workflow', () => {
  it('show how long a run took as the run itself does, before and after it is folded', async () => {
    const id = await publish(ana, { nodes: [node('rest', { seconds: 41 }, 'wait')], edges: [] })
    const started = await startByHand(ana, id)
    await runWhere(ana, started.body.id, ({ status }) => status === 'waiting')
    app.clock.forward({ ms: 42_000 })
    const { duration_ms } = await finished(ana, started.body.id)
    const read = async () => (await ana.get(`${workflowsPath}/${id}/stats?days=1`)).body
    expect(await read()).toMatchObject({ p50_ms: duration_ms, p95_ms: duration_ms })
    app.clock.forward({ minutes: 130 })
    await fold()
    expect(await read()).toMatchObject({ p50_ms: duration_ms, p95_ms: duration_ms })
  })

  it('count its runs by how they ended, before and after they are folded into hours', async () => {
    const id = await publish(ana, { nodes: [node('divide', { fields: { of: '1 // input' } })], edges: [] })
    const other = await publish(ana, { nodes: [node('a')], edges: [] })
    const run = async (workflowId: string, input: number) =>
      finished(ana, (await startByHand(ana, workflowId, input)).body.id)
    for (const input of [1, 2, 0]) await run(id, input)
    await run(other, 1)
    await finished(ana, (await ana.post(`${workflowsPath}/${id}/test-runs`, { input: 0 })).body.id)
    const read = async (days: number) => (await ana.get(`${workflowsPath}/${id}/stats?days=${days}`)).body
    const counted = { succeeded: 2, failed: 1, timed_out: 0, cancelled: 0, cost: null, p50_ms: expect.any(Number) }
    const fresh = await read(1)
    expect(fresh).toMatchObject({ ...counted, success_rate: 2 / 3 })
    expect(fresh.points).toHaveLength(24)
    expect(fresh.points.at(-1)).toMatchObject(counted)

    app.clock.forward({ minutes: 130 })
    await fold()
    expect(await app.db.selectFrom('workflowRunHours').selectAll().where('workflowId', '=', id).execute()).toHaveLength(
      1,
    )
    const folded = await read(1)
    expect(folded).toMatchObject({ ...counted, p50_ms: fresh.p50_ms, p95_ms: fresh.p95_ms })
    expect(folded.points.at(-1)).toMatchObject({ succeeded: 0, success_rate: null })
    await run(id, 1)
    expect(await read(7)).toMatchObject({ succeeded: 3, failed: 1 })
    expect((await read(7)).points).toHaveLength(28)

    app.clock.forward({ days: 8 })
    expect(await read(7)).toMatchObject({ succeeded: 0, success_rate: null, p50_ms: null })
    expect(await read(30)).toMatchObject({ succeeded: 3, failed: 1 })
    expect((await ana.get(`${workflowsPath}/${id}/stats?days=2`)).status).toBe(422)
  })
})
