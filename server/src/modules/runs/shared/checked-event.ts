/** An event that a node publishes. */
import { AppError } from '#kernel/errors.ts'
import type { EmittedEvent } from './node-interface.ts'
import { storable } from './storable-json.ts'

/** Checked here, so that the bus can't refuse it when the step is saved. */
export const checkedEvent = ({ maxPayloadBytes }: { maxPayloadBytes: number }, event: EmittedEvent): EmittedEvent => {
  const { json, value } = storable(event.payload ?? {})
  if (Buffer.byteLength(json) > maxPayloadBytes) throw new AppError('payload_too_large')
  return { ...event, payload: value, correlationId: event.correlationId?.slice(0, 200) || null }
}
