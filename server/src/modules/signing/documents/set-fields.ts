/** Replaces the fields of a draft, all at once: every problem is named, and nothing is stored while there is one. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { FieldInput } from '@chancery/contract/signing/documents.ts'
import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { checkFields, rulesOf } from '../fields/check-fields.ts'
import { checkPrefilled } from '../fields/check-prefilled.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'
import { type FieldRow, listFieldsUnscoped, replaceFieldsUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { requireUnchanged } from './versions.ts'
import { authorOf, type Change, withDraft } from './with-document.ts'

export const setFields = (context: SigningContext, change: Change, list: readonly FieldInput[]): Promise<void> =>
  withDraft(context, change, async (tx, { id: documentId }) => {
    await requireUnchanged(tx, { documentId, part: 'fields', ifMatch: change.ifMatch })
    const files = await listFilesUnscoped(tx, documentId)
    const recipients = await listRecipientsUnscoped(tx, documentId)
    const present = new Set((await listFieldsUnscoped(tx, documentId)).map(({ id }) => id))
    const problems = checkFields(list, {
      files,
      recipientIds: new Set(recipients.map(({ id }) => id)),
      drawing: context.pdfWork,
    })
    const stored = problems.length === 0 ? await checkValues(context, list) : { problems, values: [] }
    if (stored.problems.length > 0) throw new AppError('validation_failed', { problems: stored.problems })
    const taken = new Set<string>()
    const rows = list.map((input, position): FieldRow => {
      const isKept = input.id !== undefined && present.has(input.id) && !taken.has(input.id)
      const id = isKept && input.id !== undefined ? input.id : context.kernel.ids.next()
      taken.add(id)
      const value = stored.values[position] ?? null
      return {
        ...columnsOf(input, files[0]?.id ?? ''),
        id,
        documentId,
        position,
        value,
        filledBy: value === null ? null : 'SENDER',
      }
    })
    await replaceFieldsUnscoped(tx, documentId, rows)
    await updateDocumentUnscoped(tx, documentId, { updatedAt: context.kernel.clock.now() })
    const detail = { count: rows.length }
    await record(context, tx, { documentId, entries: [{ type: 'fields_changed', by: authorOf(change), detail }] })
  })

/** Prefilled values as they are stored, in the order of the fields. Drawings are decoded once, before that. */
const checkValues = async ({ pdfWork }: SigningContext, list: readonly FieldInput[]) => {
  const problems: FieldProblem[] = []
  const values: (FieldValue | null)[] = []
  for (const [index, field] of list.entries()) {
    const { type, value = null } = field
    const checked = value === null ? { value } : await checkPrefilled(pdfWork, { type, rules: rulesOf(field) }, value)
    if ('problem' in checked)
      problems.push({ loc: ['body', index, 'value'], msg: checked.problem, type: 'invalid_value' })
    else values.push(checked.value)
  }
  return { problems, values }
}

const columnsOf = (input: FieldInput, firstFileId: string) => ({
  fileId: input.fileId ?? firstFileId,
  recipientId: input.recipientId,
  type: input.type,
  page: input.page,
  x: input.x,
  y: input.y,
  width: input.width,
  height: input.height,
  required: input.required,
  readOnly: input.readOnly,
  label: input.label ?? null,
  rules: rulesOf(input),
})
