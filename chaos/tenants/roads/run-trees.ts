import { runsPath } from '../../../server/test/harness/runs.ts'
import { makePublished, node, workflowsPath } from '../../../server/test/harness/workflows.ts'
import { expectOk } from '../../accounts.ts'
import { flood, type Road } from './road.ts'

const levels = 10
const width = 5000
const items = `[x for x in range(${width})]`

export const runTrees: Road = {
  name: 'run-trees',
  rows: '15',
  what: `runs of ${levels} workflows, each a for_each over ${width} of the next, some of them cancelled`,
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    let { id } = await makePublished(eve, { nodes: [node('add', { fields: { n: '1' } })], edges: [] })
    for (let level = 1; level < levels; level += 1) {
      const each = node('all', { items, workflow_id: id, parallel: 20 }, 'for_each')
      id = (await makePublished(eve, { nodes: [each], edges: [] })).id
    }
    const start = async (turn: number): Promise<void> => {
      const run = await expectOk('a run', eve.post(`${workflowsPath}/${id}/runs`, {}))
      // Every other one is cancelled while it grows.
      await new Promise((resolve) => setTimeout(resolve, 3000))
      if (turn % 2 === 0) await eve.post(`${runsPath}/${run.id}/cancel`)
    }
    return { run: (signal) => flood(signal, 2, start) }
  },
}
