import { makePublished, node, workflowsPath } from '../../../server/test/harness/workflows.ts'
import { flood, type Road } from './road.ts'

export const slowCalls: Road = {
  name: 'slow-calls',
  rows: '6',
  what: 'runs with an HTTP call to a server that answers after 50 s, as many as can be started',
  prepare: async ({ newAttacker, hostile }) => {
    const eve = await newAttacker()
    const call = node('call', { url: `${hostile}/slow`, retry: { max_attempts: 1 } }, 'http_request')
    const { id } = await makePublished(eve, { nodes: [call], edges: [] })
    return { run: (signal) => flood(signal, 10, () => eve.post(`${workflowsPath}/${id}/runs`, { input: 1 })) }
  },
}
