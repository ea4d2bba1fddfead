/** Documents that runs send for signature. Signing fills this; `app.ts` connects the two. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'

export interface Signatures {
  /**
   * Sends a template or a text as the actor. A node of a run sends once: asked again, this returns what it sent. A retried run
   * gets what an earlier run of its line sent, unless that ended without being completed.
   */
  send(actor: Actor, request: SignatureRequest): Promise<SentDocument>
  /** The state of a document; undefined when there is none. */
  findUnscoped(db: Db, documentId: string): Promise<SignedDocument | undefined>
  /** The titles of documents that a run sent and that are still out for signature. */
  listOpenUnscoped(db: Db, runId: string): Promise<string[]>
  /** Templates that the actor can use, with the names of their roles and the labels of their fields. */
  describeTemplates(db: Db, actor: Actor, ids: readonly string[]): Promise<Map<string, TemplateNames>>
  /** Called with the run that sent a document, in the transaction in which the document ends. */
  onEnd(listener: (tx: Db, runId: string) => Promise<void>): void
}

export interface SignatureRequest {
  node: { runId: string; lineId: string; nodeId: string }
  /** Either of the two. Tags in a text are its own: no expressions are filled in there. */
  templateId?: string | undefined
  markdown?: string | undefined
  title?: string | undefined
  folder?: string | undefined
  recipients: readonly { role: string; name: string; email: string; language?: string | undefined }[]
  /** By the labels of the template's fields, or the names of the text's variables. */
  values: Readonly<Record<string, unknown>>
  expiresAt: Date | null
  /** The correlation of the document's events; null: the document's ID. */
  correlationId: string | null
}

export interface SentDocument {
  documentId: string
  title: string
}

export interface SignedDocument {
  /** `open` while anybody has to act, and until the signed document is sealed. */
  outcome: 'open' | 'completed' | 'declined' | 'expired' | 'cancelled'
  /** The output of the node. */
  facts: Record<string, unknown>
}

export interface TemplateNames {
  roles: readonly string[]
  labels: readonly string[]
}
