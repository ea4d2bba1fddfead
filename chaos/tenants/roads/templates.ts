import { makePublished, node, workflowsPath } from '../../../server/test/harness/workflows.ts'
import { flood, type Road } from './road.ts'

export const templates: Road = {
  name: 'templates',
  rows: '1',
  what: 'runs of an approval whose message repeats an input of 950 kB 11,000 times',
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    const config = { title: 'Go on?', message: '{{input}}'.repeat(11_000) }
    const { id } = await makePublished(eve, { nodes: [node('ask', config, 'approval')], edges: [] })
    const input = 'x'.repeat(950_000)
    return { run: (signal) => flood(signal, 4, () => eve.post(`${workflowsPath}/${id}/runs`, { input })) }
  },
}
