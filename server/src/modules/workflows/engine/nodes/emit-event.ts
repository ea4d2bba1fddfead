/** Publishes an event. It exists exactly when the step is saved, and once however often the node runs. */
import { AppError } from '#kernel/errors.ts'
import type { ConfigOf, EmittedEvent, Executor } from '../node-face.ts'
import { storable } from '../storable-json.ts'

interface Needs {
  maxPayloadBytes: number
}

/** Checked here, so that the bus can't refuse it when the step is saved. */
export const checkedEvent = ({ maxPayloadBytes }: Needs, event: EmittedEvent): EmittedEvent => {
  const { json, value } = storable(event.payload ?? {})
  if (Buffer.byteLength(json) > maxPayloadBytes) throw new AppError('payload_too_large')
  return { ...event, payload: value, correlationId: event.correlationId?.slice(0, 200) || null }
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
