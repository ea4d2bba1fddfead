/** Tells others what happened to a document, in the transaction in which it happened: once, or not at all. */
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from './context.ts'
import type { DocumentRow } from './queries/documents.ts'

type EventType =
  | 'document_sent'
  | 'document_opened'
  | 'recipient_signed'
  | 'document_completed'
  | 'document_declined'
  | 'document_expired'
  | 'document_cancelled'

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
  { bus, endListeners }: Pick<SigningContext, 'bus' | 'endListeners'>,
  tx: Db,
  { type, document, recipient, more = {} }: Happening,
): Promise<void> => {
  const who = recipient && {
    recipient: { id: recipient.id, name: recipient.name, email: recipient.email, role: recipient.role },
  }
  await bus.publish(tx, [
    {
      scopeId: document.scopeId,
      eventType: type,
      source: 'signing',
      correlationId: document.correlationId ?? document.id,
      userId: document.ownerId,
      payload: { document_id: document.id, title: document.title, ...who, ...more },
    },
  ])
  if (document.runId !== null && ends.has(type)) for (const listener of endListeners) await listener(tx, document.runId)
}
