/** Publishes an event. */
import { Megaphone } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const emitEvent: NodeKind = {
  label: 'Emit event',
  icon: Megaphone,
  purpose: 'Publishes an event that can start other workflows.',
  idStem: 'emit',
  start: { event_type: '' },
  summary: ({ event_type }) => textOf(event_type),
  texts: () => ({ template: ['payload', 'correlation_id'] }),
  fields: { event_type: 'Event type', payload: 'Payload', correlation_id: 'Correlation ID' },
}
