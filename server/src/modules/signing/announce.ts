/** Tells others what happened to a document, in the transaction in which it happened: once, or not at all. */
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from './context.ts'
import type { DocumentRow } from './queries/documents.ts'

/** The events of webhooks. The event bus has the same types. */
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
  recipient?: { id: string; name: string; email: string; role: string } | undefined
  more?: Record<string, unknown>
}

const ends: ReadonlySet<EventType> = new Set([
  'document_completed',
  'document_declined',
  'document_expired',
  'document_cancelled',
])

/**
 * The part of an event that the bus may hold: everybody of an organization reads its events, but only the owner and its
 * admins may see the document, so there an event has ids. Webhooks are for those who may see it, and so is the scope of
 * one person.
 */
const forBus = ({ document, recipient, more = {} }: Happening): Record<string, unknown> =>
  document.organizationId === null
    ? forThoseWhoMaySee({ document, recipient, more })
    : { document_id: document.id, ...(recipient && { recipient: { id: recipient.id, role: recipient.role } }) }

const forThoseWhoMaySee = ({ document, recipient, more = {} }: Omit<Happening, 'type'>): Record<string, unknown> => ({
  document_id: document.id,
  title: document.title,
  ...(recipient && {
    recipient: { id: recipient.id, name: recipient.name, email: recipient.email, role: recipient.role },
  }),
  ...more,
})

/** The caller calls `bus.wake()` after the commit; without it the event waits for the next poll. */
export const announce = async (
  { bus, webhooks, endListeners }: Pick<SigningContext, 'bus' | 'webhooks' | 'endListeners'>,
  tx: Db,
  happening: Happening,
): Promise<void> => {
  const { type, document } = happening
  await bus.publish(tx, [
    {
      scopeId: document.scopeId,
      eventType: type,
      source: 'signing',
      correlationId: document.correlationId ?? document.id,
      userId: document.ownerId,
      payload: forBus(happening),
    },
  ])
  await webhooks.publish(tx, { scopeId: document.scopeId, type, data: forThoseWhoMaySee(happening) })
  if (document.runId !== null && ends.has(type)) for (const listener of endListeners) await listener(tx, document.runId)
}
