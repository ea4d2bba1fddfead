/** Publishes an event. */
import type { NodeKind } from './kind.ts'

export const emitEvent: NodeKind<'emit_event'> = {
  texts: ['payload', 'correlation_id'],
  isOutward: true,
  isCall: false,
}
