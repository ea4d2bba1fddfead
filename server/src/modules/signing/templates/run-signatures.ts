/** Signing for workflows: a node of a run sends a template or a text, and the run hears when the document ends. */
import { type DocumentState, isMark } from '@chancery/contract/signing/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SigningContext } from '../context.ts'
import {
  adoptDocumentOfLineUnscoped,
  type DocumentRow,
  findDocumentOfNodeUnscoped,
  findDocumentUnscoped,
  listOpenOfRunUnscoped,
  listTemplates,
} from '../queries/documents.ts'
import { listFieldsUnscoped } from '../queries/fields.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { sendText } from '../written/send-text.ts'
import { type SendRequest, sendTemplate } from './send-template.ts'

interface RunRequest extends Omit<SendRequest, 'agent' | 'sentBy' | 'correlationId' | 'templateId'> {
  /** One of the two. */
  templateId?: string | undefined
  markdown?: string | undefined
  node: { runId: string; lineId: string; nodeId: string }
  correlationId: string | null
}

export const runSignatures = (context: SigningContext) => ({
  /** Once for each node of a run: what it sent before a crash is found by the node's name. */
  send: async (actor: Actor, { node, correlationId: correlation, templateId, markdown, ...request }: RunRequest) => {
    const find = async (db: Db): Promise<DocumentRow | undefined> =>
      (await findDocumentOfNodeUnscoped(db, node)) ?? (await adoptDocumentOfLineUnscoped(db, node))
    const sending = { ...request, sentBy: node, correlationId: correlation ?? undefined }
    const sent =
      (await find(context.kernel.db)) ??
      (markdown === undefined
        ? await sendTemplate(context, actor, { ...sending, templateId: templateId ?? '', agent: 'workflow' }, find)
        : await sendText(context, actor, { ...sending, markdown }, find))
    return { documentId: sent.id, title: sent.title }
  },
  findUnscoped: async (db: Db, documentId: string) => {
    const document = await findDocumentUnscoped(db, documentId)
    const outcome = document && outcomes[document.state]
    if (!document || !outcome) return document && { outcome: 'open' as const, facts: {} }
    return { outcome, facts: await factsOf(db, document) }
  },
  listOpenUnscoped: listOpenOfRunUnscoped,
  describeTemplates: async (db: Db, actor: Actor, ids: readonly string[]) => {
    const found = new Map<string, { roles: string[]; labels: string[] }>()
    for (const { id } of await listTemplates(db, actor, ids)) {
      const labels = (await listFieldsUnscoped(db, id)).flatMap(({ label, type }) =>
        isMark(type) ? [] : (label ?? []),
      )
      found.set(id, { roles: (await listRecipientsUnscoped(db, id)).map(({ name }) => name), labels })
    }
    return found
  },
  onEnd: (listener: (tx: Db, runId: string) => Promise<void>): void => void context.endListeners.push(listener),
})

const outcomes: Partial<Record<DocumentState, 'completed' | 'declined' | 'expired' | 'cancelled'>> = {
  COMPLETED: 'completed',
  DECLINED: 'declined',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
}

/** Signatures stay in the document: a run gets texts and choices, by label. */
const factsOf = async (db: Db, document: DocumentRow): Promise<Record<string, unknown>> => {
  const recipients = await listRecipientsUnscoped(db, document.id)
  const values = (await listFieldsUnscoped(db, document.id)).flatMap(({ label, value }) =>
    label === null || value === null || typeof value === 'object' ? [] : [[label, value] as const],
  )
  return {
    document_id: document.id,
    title: document.title,
    state: document.state,
    folder: document.folder,
    sealed_file: document.sealedSha256 && {
      id: document.sealedFileId,
      sha256: document.sealedSha256,
      bytes: document.sealedBytes,
      path: `/api/signing/documents/${document.id}/file?version=sealed`,
    },
    values: Object.fromEntries(values),
    recipients: recipients.map(({ name, email, role, state, signedAt, declineReason }) => ({
      name,
      email,
      role,
      state,
      signed_at: signedAt?.toISOString() ?? null,
      decline_reason: declineReason,
    })),
  }
}
