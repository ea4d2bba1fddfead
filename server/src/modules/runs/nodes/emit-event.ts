/** Publishes an event. It exists exactly when the step is saved, and once however often the node runs. */
import { checkedEvent } from '../shared/checked-event.ts'
import type { ConfigOf, Executor } from '../shared/node-interface.ts'

interface Needs {
  maxPayloadBytes: number
}

export const emitEvent =
  (needs: Needs): Executor<ConfigOf<'emit_event'>> =>
  ({ config, fill, input, run }) => {
    const payload = config.payload === undefined ? (input ?? {}) : fill(config.payload)
    const correlation = fill(config.correlation_id ?? '')
    const correlationId = correlation === '' || correlation === null ? run.correlationId : String(correlation)
    const event = checkedEvent(needs, { eventType: config.event_type, payload, correlationId })
    const output = { event_type: event.eventType, payload: event.payload, correlation_id: event.correlationId }
    return { kind: 'done', output, events: [event] }
  }
