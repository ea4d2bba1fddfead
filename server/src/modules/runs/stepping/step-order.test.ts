/** Steps are listed in the order in which they started, even when the clock can't tell them apart. */
import { describe, expect, it } from 'vitest'
import { finished, readRun, runsPath, runThrough } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { chain, edge, node } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user()
const names = Array.from({ length: 20 }, (_, index) => `n${(index * 7) % 20}`)

const inOneMillisecond = (runId: string) =>
  app.db
    .updateTable('runSteps')
    .set({ startedAt: new Date(0) })
    .where('runId', '=', runId)
    .execute()

describe('the steps of a run', () => {
  it('that started within one millisecond come in the order in which they started', async () => {
    const { id } = await runThrough(ana, chain(...names))
    await inOneMillisecond(id)
    const { steps } = await readRun(ana, id)
    expect(steps.map(({ node_id }) => node_id)).toEqual(names)
    expect(steps.map(({ number }) => number)).toEqual(names.map((_, index) => index + 1))
    const { body } = await ana.get(`${runsPath}?steps=true&limit=1`)
    expect(body.data[0].steps.map(({ node_id }: { node_id: string }) => node_id)).toEqual(names)
  })

  it('that a retry takes over stay in their order, and those it runs come after them', async () => {
    const graph = chain(...names)
    const failing = node('bad', { fields: { x: '1 / 0' } })
    const last = names.at(-1) ?? ''
    const run = await runThrough(ana, { nodes: [...graph.nodes, failing], edges: [...graph.edges, edge(last, 'bad')] })
    const retried = await finished(ana, (await ana.post(`${runsPath}/${run.id}/retry`)).body.id)
    await inOneMillisecond(retried.id)
    const { steps } = await readRun(ana, retried.id)
    expect(steps.map(({ node_id }) => node_id)).toEqual([...names, 'bad'])
  })
})
