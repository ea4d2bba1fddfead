/** Proposes places for fields on one of a document's files. Nothing is stored: the owner takes over what fits. */
import type { FieldProposals } from '@chancery/contract/signing/proposals.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext } from '../context.ts'
import { findFormFieldsUnscoped, listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { getDocument } from './with-document.ts'

export const proposeFieldsFor = async (
  { kernel: { db }, pdfWork }: SigningContext,
  actor: Actor,
  { id, fileId }: { id: string; fileId?: string | undefined },
): Promise<z.infer<typeof FieldProposals>> => {
  const document = await getDocument(db, actor, { id })
  const files = await listFilesUnscoped(db, document.id)
  const file = fileId === undefined ? files[0] : files.find((candidate) => candidate.id === fileId)
  if (!file) throw new AppError('file_not_found')
  const people = (await listRecipientsUnscoped(db, document.id)).map(({ name }) => name)
  const formFields = await findFormFieldsUnscoped(db, file.originalId)
  return { proposals: await pdfWork.propose(file.blobKey, scopeOf(actor), { people, formFields }) }
}
