/** Looking at a run again costs what has changed since, not what the run holds. */
import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import { finished, publish, runsPath, runWhere, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { chain, edge, node } from '#test/harness/workflows.ts'
import { followSteps, type StepFollower } from './follow-steps.ts'

const answers: (() => void)[] = []
const app = await sharedApp((_request, response) => void answers.push(() => response.end('x'.repeat(50_000))))
const { site } = app
const ana = await app.user()

/** The app's database, told of how much it answers. */
let readBytes = 0
const measure: KyselyPlugin = {
  transformQuery: ({ node: query }) => query,
  transformResult: async ({ result }) => {
    readBytes += JSON.stringify(result.rows).length
    return result
  },
}
const db = app.db.withPlugin(measure)

const lookAt = async (steps: StepFollower) => {
  readBytes = 0
  const seen: [string, string][] = []
  for await (const batch of steps.changed()) for (const { nodeId, status } of batch) seen.push([nodeId, status])
  return seen
}

describe('steps that are looked at again and again', () => {
  it('are read whole when they have changed, and not otherwise', async () => {
    const { nodes, edges } = chain('a', 'b', 'c')
    const slow = node('slow', { url: site.origin, retry: { max_attempts: 1 } }, 'http_request')
    const graph = { nodes: [...nodes, slow, node('end')], edges: [...edges, edge('c', 'slow'), edge('slow', 'end')] }
    const { body: run } = await startByHand(ana, await publish(ana, graph), { large: 'y'.repeat(100_000) })
    await expect.poll(() => answers.length).toBe(1)

    const steps = followSteps(db, run.id)
    const done = ['a', 'b', 'c'].map((id) => [id, 'succeeded'])
    expect((await lookAt(steps)).sort()).toEqual([...done, ['slow', 'running']])
    expect(readBytes).toBeGreaterThan(100_000)
    expect(await lookAt(steps)).toEqual([])
    expect(readBytes).toBeLessThan(1000)

    answers[0]?.()
    await finished(ana, run.id)
    expect((await lookAt(steps)).sort()).toEqual([
      ['end', 'succeeded'],
      ['slow', 'succeeded'],
    ])
    expect(readBytes).toBeGreaterThan(50_000)
    expect(readBytes).toBeLessThan(110_000)
    steps.forget()
    expect(await lookAt(steps)).toHaveLength(5)
  })

  it('are notified when somebody cancels the run', async () => {
    const graph = { nodes: [node('pause', { seconds: 600 }, 'wait')], edges: [] }
    const { body } = await startByHand(ana, await publish(ana, graph))
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    const steps = followSteps(db, body.id)
    expect(await lookAt(steps)).toEqual([['pause', 'waiting']])
    await ana.post(`${runsPath}/${body.id}/cancel`)
    expect(await lookAt(steps)).toEqual([['pause', 'cancelled']])
  })

  it('come in the order of the run, however many there are', async () => {
    const ids = Array.from({ length: 45 }, (_, index) => `n${index}`)
    const { body } = await startByHand(ana, await publish(ana, chain(...ids)))
    const { steps } = await finished(ana, body.id)
    expect(await lookAt(followSteps(db, body.id))).toEqual(steps.map(({ node_id, status }) => [node_id, status]))
    expect(steps).toHaveLength(ids.length)
  })
})
