import { chain, makePublished, node, workflowsPath } from '../../../server/test/harness/workflows.ts'
import { expectOk } from '../../accounts.ts'
import { flood, type Road } from './road.ts'

/** The business keys of the victim, which anybody can guess. */
export const correlations = 20
export const correlationOf = (number: number): string => `order-${number % correlations}`

export const loopGuard: Road = {
  name: 'loop-guard',
  rows: '8',
  what: "runs that emit ten events each under another tenant's correlation ids",
  victims: ['chain'],
  prepare: async ({ newAttacker }) => {
    const eve = await newAttacker()
    const emit = (index: number) => node(`emit${index}`, { event_type: 'spun', payload: {} }, 'emit_event')
    const spin = { nodes: Array.from({ length: 10 }, (_, index) => emit(index)), edges: [] }
    for (const [graph, eventType] of [[spin, 'spin'] as const, [chain('a'), 'spun'] as const]) {
      const { id } = await makePublished(eve, graph)
      const trigger = { name: eventType, event_type: eventType }
      await expectOk('a trigger', eve.post(`${workflowsPath}/${id}/triggers/event`, trigger))
    }
    const send = (turn: number) =>
      eve.post(
        '/api/v1/events/ingest',
        { event_type: 'spin', correlation_id: correlationOf(turn), payload: {} },
        { 'x-api-key': eve.key },
      )
    return { run: (signal) => flood(signal, 4, send) }
  },
}
