/** What metrics can count: the transitions of runs on this node, and the runs that wait to be claimed. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { publish, runThrough, runWhere, startByHand } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'

const app = await testApp()
const ana = await app.user()
const { workflows } = app.ports
const counts = new Map<string, number>()
workflows.onTransition((transition, count) => counts.set(transition, (counts.get(transition) ?? 0) + count))
const failing = node('bad', { fields: { x: '1 / 0' } })

describe('the hooks of the engine', () => {
  it('count each run as claimed and as ended, by how it ended', async () => {
    counts.clear()
    await runThrough(ana, { nodes: [node('only')], edges: [] })
    await runThrough(ana, { nodes: [failing], edges: [] })
    expect(Object.fromEntries(counts)).toEqual({ claimed: 2, succeeded: 1, failed: 1 })
  })

  it('count a run that waits as parked, and a cancelled one as cancelled', async () => {
    counts.clear()
    const id = await publish(ana, { nodes: [node('hold', { seconds: 600 }, 'wait')], edges: [] })
    const { body } = await startByHand(ana, id)
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    expect(await workflows.measureRuns()).toEqual({ queued: 0, running: 0, waiting: 1, due: 0, oldestDueMs: 0 })
    expect((await ana.post(`/api/v1/agent-runs/${body.id}/cancel`)).status).toBe(200)
    expect(Object.fromEntries(counts)).toEqual({ claimed: 1, parked: 1, cancelled: 1 })
  })
})
