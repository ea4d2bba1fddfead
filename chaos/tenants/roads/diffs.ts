import { makeWorkflow, node, workflowsPath } from '../../../server/test/harness/workflows.ts'
import { expectOk } from '../../accounts.ts'
import { flood, type Road } from './road.ts'

const texts = 300
const lines = Array.from({ length: 200 }, (_, line) => `line ${line}`)

const graphOf = (prompt: string) => ({
  nodes: Array.from({ length: texts }, (_, index) => node(`n${index}`, { model: 'swift', prompt }, 'agent')),
  edges: [],
  settings: {},
})

export const diffs: Road = {
  name: 'diffs',
  rows: '3',
  what: `the difference of two versions with ${texts} rewritten texts of ${lines.length} lines`,
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    const { id } = await makeWorkflow(eve, graphOf(lines.join('\n')))
    const path = `${workflowsPath}/${id}`
    await expectOk('a version', eve.post(`${path}/snapshot`, { notes: '' }))
    await expectOk('a change', eve.put(path, { graph: graphOf(lines.toReversed().join('\n')) }))
    await expectOk('a version', eve.post(`${path}/snapshot`, { notes: '' }))
    return { run: (signal) => flood(signal, 6, () => eve.get(`${path}/versions/1/diff/2`)) }
  },
}
