/** Error workflows: a failed run starts the workflow that its own one names, once, and failures never go in circles. */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { finished, publish, readRun, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const app = await sharedApp()
const ana = await app.user()
const failing = node('break', { fields: { of: '1 // 0' } })
const publishOne = (one: GraphNode) => publish(ana, { nodes: [one], edges: [] })
const runsOf = async (workflowId: string): Promise<RunItem[]> =>
  (await ana.get(`${workflowsPath}/${workflowId}/runs`)).body.data
const failOnce = async (workflowId: string) => finished(ana, (await startByHand(ana, workflowId)).body.id)
/** The failures so far were looked at. A move of the clock, even by nothing, makes the node check now. */
const handled = (runId: string) =>
  until(async () => {
    app.clock.forward({ ms: 0 })
    const rows = await app.db.selectFrom('runErrors').selectAll().where('runId', '=', runId).execute()
    return rows.length === 1
  })

describe('an error workflow', () => {
  it('is started once with the facts of each run that fails, and of none from before', async () => {
    const [reporter, flow] = [
      await publishOne(node('tell', { fields: { error: 'input["run"]["error"]' } })),
      await publishOne(failing),
    ]
    const early = await failOnce(flow)
    const put = await ana.put(`${workflowsPath}/${flow}`, { error_workflow_id: reporter })
    expect(put).toMatchObject({ status: 200, body: { error_workflow_id: reporter, status: 'Published' } })
    const failed = await failOnce(flow)
    await handled(failed.id)
    const started = await runsOf(reporter)
    expect(started).toMatchObject([{ trigger: 'error' }])
    const run = await finished(ana, started[0]?.id ?? '')
    expect(run.output).toEqual({ error: failed.error })
    expect((await readRun(ana, run.id)).input).toMatchObject({
      input: { workflow: { id: flow }, run: { id: failed.id, status: 'failed', node_id: 'break', trigger: 'manual' } },
    })
    const rows = await app.db.selectFrom('runErrors').select('runId').where('runId', '=', early.id).execute()
    expect(rows).toEqual([])
  })

  it('that fails itself starts none, though it names one', async () => {
    const [one, other] = [await publishOne(failing), await publishOne(failing)]
    await ana.put(`${workflowsPath}/${one}`, { error_workflow_id: other })
    await ana.put(`${workflowsPath}/${other}`, { error_workflow_id: one })
    const failed = await failOnce(one)
    await handled(failed.id)
    const [second] = await runsOf(other)
    await finished(ana, second?.id ?? '')
    // Another failure of the first is handled after it: by then the second's would have been too.
    await handled((await failOnce(one)).id)
    expect(await runsOf(one)).toHaveLength(2)
  })

  it('must be another one of the same scope, and is forgotten when it is deleted', async () => {
    const eve = await app.user()
    const foreign = await publish(eve, { nodes: [node('a')], edges: [] })
    const flow = await publishOne(failing)
    const name = (error_workflow_id: string) => ana.put(`${workflowsPath}/${flow}`, { error_workflow_id })
    expect(await name(foreign)).toMatchObject({ status: 404 })
    expect(await name(flow)).toMatchObject({ status: 422 })
    const short = await publishOne(node('a'))
    await name(short)
    await ana.delete(`${workflowsPath}/${short}`)
    expect((await ana.get(`${workflowsPath}/${flow}`)).body.error_workflow_id).toBeNull()
  })

  it('can be named by two workflows of each other at the same time', async () => {
    const [one, other] = [await publishOne(failing), await publishOne(failing)]
    const name = (id: string, error_workflow_id: string | null) =>
      ana.put(`${workflowsPath}/${id}`, { error_workflow_id })
    for (let round = 0; round < 10; round++) {
      const replies = await Promise.all([name(one, other), name(other, one)])
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
      await Promise.all([name(one, null), name(other, null)])
    }
  })

  it('is not found when it is deleted in the moment in which it is named', async () => {
    const [flow, other] = [await publishOne(failing), await publishOne(node('a'))]
    const put = await app.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('workflows').where('id', '=', other).execute()
      const own = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]?.pid
      const isWaiting = async () => {
        const waiting = sql`select from pg_stat_activity where ${own}::integer = any(pg_blocking_pids(pid))`
        return (await waiting.execute(app.db)).rows.length > 0
      }
      const sent = ana.put(`${workflowsPath}/${flow}`, { error_workflow_id: other })
      await until(isWaiting)
      return { sent }
    })
    expect(await put.sent).toMatchObject({ status: 404, body: { code: 'workflow_not_found' } })
  })
})
