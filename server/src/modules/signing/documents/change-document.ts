/** Changes a document's settings. Once it is sent, only what leaves its content alone: expiry, reminders, folder. */
import type { DocumentPatch } from '@chancery/contract/signing/documents.ts'
import { AppError } from '#kernel/errors.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { isFinal } from '../flow/moves.ts'
import { reminderAfter } from '../flow/reminder-rules.ts'
import { type DocumentRow, updateDocumentUnscoped } from '../queries/documents.ts'
import { authorOf, type Change, withDocument } from './with-document.ts'

const whileSent = new Set(['expiresAt', 'reminderDays', 'folder'])

export const changeDocument = (context: SigningContext, change: Change, patch: DocumentPatch): Promise<void> =>
  withDocument(context, change, async (tx, document) => {
    const names = Object.keys(patch)
    if (names.length === 0) return
    requireChangeable(document, names)
    const now = context.kernel.clock.now()
    const { expiresAt, ...rest } = definedOnly(patch)
    const expiry = expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(expiresAt) }
    if (expiry.expiresAt && expiry.expiresAt <= now)
      throw problem(['expiresAt'], 'Choose a time in the future.', 'in_the_past')
    await updateDocumentUnscoped(tx, document.id, {
      ...rest,
      ...expiry,
      ...(document.state === 'SENT' &&
        rest.reminderDays !== undefined && { nextReminderAt: reminderAfter(now, rest.reminderDays) }),
      updatedAt: now,
    })
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'changed', by: authorOf(change), detail: { ...patch } }],
    })
  })

const requireChangeable = ({ state }: DocumentRow, names: readonly string[]): void => {
  if (state === 'DRAFT' || names.every((name) => name === 'folder')) return
  if (isFinal(state)) throw new AppError('document_finished')
  if (!names.every((name) => whileSent.has(name))) throw new AppError('document_sent')
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }
const definedOnly = <T extends object>(patch: T): Defined<T> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Defined<T>
