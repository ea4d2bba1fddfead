/** Tells others what happened to a document, in the transaction in which it happened: once, or not at all. */
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from './context.ts'
import type { DocumentRow } from './queries/documents.ts'

/** What webhooks can be told. The event bus has the same types. */
export const eventTypes = [
  { type: 'document_sent', description: 'A document was sent to its recipients.' },
  { type: 'document_opened', description: 'A recipient opened the document.' },
  { type: 'recipient_signed', description: 'A recipient signed or approved.' },
  { type: 'document_completed', description: 'Everybody has signed, and the document is sealed.' },
  { type: 'document_declined', description: 'A recipient declined to sign.' },
  { type: 'document_expired', description: 'The document expired before everybody had signed.' },
  { type: 'document_cancelled', description: 'The sender cancelled the document.' },
] as const

type EventType = (typeof eventTypes)[number]['type']

interface Happening {
  type: EventType
  document: DocumentRow
  recipient?: { id: string; name: string; email: string; role: string }
  more?: Record<string, unknown>
}

const ends: ReadonlySet<EventType> = new Set([
  'document_completed',
  'document_declined',
  'document_expired',
  'document_cancelled',
])

/** The caller calls `bus.wake()` after the commit; without it the event waits for the next poll. */
export const announce = async (
  { bus, webhooks, endListeners }: Pick<SigningContext, 'bus' | 'webhooks' | 'endListeners'>,
  tx: Db,
  { type, document, recipient, more = {} }: Happening,
): Promise<void> => {
  const who = recipient && {
    recipient: { id: recipient.id, name: recipient.name, email: recipient.email, role: recipient.role },
  }
  const payload = { document_id: document.id, title: document.title, ...who, ...more }
  await bus.publish(tx, [
    {
      scopeId: document.scopeId,
      eventType: type,
      source: 'signing',
      correlationId: document.correlationId ?? document.id,
      userId: document.ownerId,
      payload,
    },
  ])
  await webhooks.publish(tx, { scopeId: document.scopeId, type, data: payload })
  if (document.runId !== null && ends.has(type)) for (const listener of endListeners) await listener(tx, document.runId)
}
