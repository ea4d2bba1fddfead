/**
 * Hands over the documents of a deleted person. An heir gets all of them. Without one, what is still being signed is
 * cancelled and its recipients are told; everything else stays with the organization, and sealed documents can still be
 * downloaded by those who signed them.
 */
import { scopeOf } from '#kernel/http/scope.ts'
import type { UserDeletionHandler } from '#modules/accounts/index.ts'
import type { SigningContext } from './context.ts'
import { closeAsCancelled } from './documents/cancel-document.ts'
import { record } from './evidence/record.ts'
import { deleteAiSettingsUnscoped } from './queries/ai.ts'
import { listUnfinishedOfUnscoped, lockDocumentUnscoped, moveOwnerUnscoped } from './queries/documents.ts'
import { moveRefusalsUnscoped } from './queries/mail-refusals.ts'

export const handOverDocuments =
  (context: SigningContext): UserDeletionHandler =>
  async (tx, { user, heir }) => {
    await deleteAiSettingsUnscoped(tx, user.id)
    await moveRefusalsUnscoped(tx, user.id, heir?.id ?? null)
    for (const id of await listUnfinishedOfUnscoped(tx, user.id)) {
      const document = await lockDocumentUnscoped(tx, id)
      if (!document) continue
      if (!heir) {
        await closeAsCancelled(context, tx, { document, by: { kind: 'system' }, reason: undefined })
        continue
      }
      const detail = { owner: { name: heir.name, email: heir.email } }
      await record(context, tx, { documentId: id, entries: [{ type: 'changed', by: { kind: 'system' }, detail }] })
    }
    if (!heir) return
    const { id: ownerId, name: ownerName, email: ownerEmail, organizationId } = heir
    await moveOwnerUnscoped(tx, user.id, { ownerId, ownerName, ownerEmail, organizationId, scopeId: scopeOf(heir) })
  }
