/** A document whose sealing ended the server several times: its owner sees SEAL_FAILED until it is released. */
import type { HeldJob } from '#kernel/jobs/jobs.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { findDocumentUnscoped, lockDocumentUnscoped, updateDocumentUnscoped } from '../queries/documents.ts'

const sealError = 'Sealing this document made our server fail several times. An administrator can try it again.'

interface Work {
  documentId: string
}

export const heldSeal = (context: () => SigningContext): HeldJob<Work> => ({
  // Without its title, which is the owner's business.
  describe: async (db, { documentId }) => {
    const document = await findDocumentUnscoped(db, documentId)
    return document && { what: `Sealing the document ${documentId}`, scopeId: document.scopeId }
  },
  hold: async (tx, { documentId }) => {
    const document = await lockDocumentUnscoped(tx, documentId)
    if (document?.state !== 'SEALING') return
    const updatedAt = context().kernel.clock.now()
    await updateDocumentUnscoped(tx, documentId, { state: 'SEAL_FAILED', sealError, sealLeaseUntil: null, updatedAt })
    const entry = { type: 'seal_failed', by: { kind: 'system' }, detail: { reason: sealError } } as const
    await record(context(), tx, { documentId, entries: [entry] })
  },
})
