/** Actions of people on runs are in the audit log: start, cancel, retry, answer. */
import { describe, expect, it } from 'vitest'
import { publish, runsPath, runThrough, runWhere, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { node } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user()
const entriesFor = (targetId: string) =>
  app.db.selectFrom('auditLog').selectAll().where('targetId', '=', targetId).orderBy('at').orderBy('id').execute()
const hold = { nodes: [node('hold', { seconds: 600 }, 'wait')], edges: [] }

describe('the audit log', () => {
  it('has who started and who cancelled a run', async () => {
    const workflowId = await publish(ana, hold)
    const { body } = await startByHand(ana, workflowId)
    await ana.post(`${runsPath}/${body.id}/cancel`)
    const detail = { workflow_id: workflowId }
    expect(await entriesFor(body.id)).toMatchObject([
      { action: 'run.start', actorId: ana.id, detail },
      { action: 'run.cancel', actorId: ana.id, detail },
    ])
    expect((await ana.post(`${runsPath}/${body.id}/cancel`)).status).toBe(409)
    expect(await entriesFor(body.id)).toHaveLength(2)
  })

  it('has who retried a run, with the run that failed', async () => {
    const failed = await runThrough(ana, { nodes: [node('bad', { fields: { x: '1 / 0' } })], edges: [] })
    const { body } = await ana.post(`${runsPath}/${failed.id}/retry`)
    expect(await entriesFor(body.id)).toMatchObject([
      { action: 'run.retry', actorId: ana.id, detail: { retried: failed.id } },
    ])
  })

  it('has who answered an approval, with what was asked and the answer', async () => {
    const ask = node('ask', { title: 'Ship it?' }, 'approval')
    const { body } = await startByHand(ana, await publish(ana, { nodes: [ask], edges: [] }))
    const { steps } = await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    const stepId = steps[0]?.id ?? ''
    await ana.post(`${runsPath}/${body.id}/approvals/${stepId}`, { approved: true, comment: 'fine' })
    const detail = { approved: true, comment: 'fine', title: 'Ship it?', run_id: body.id }
    expect(await entriesFor(stepId)).toMatchObject([{ action: 'approval.answer', actorId: ana.id, detail }])
  })
})
