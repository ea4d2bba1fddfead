/** A document from a template, with people for its roles. With `send`, all of it in one transaction. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import type { UseBody } from '@chancery/contract/signing/templates.ts'
import type { Db } from '#kernel/db/database.ts'
import { claimRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import type { Maker } from '../documents/create-document.ts'
import { prepareEarlierFiles } from '../documents/prepare-earlier.ts'
import { sendDraft } from '../documents/send-document.ts'
import { authorOf, type Change, withDocument } from '../documents/with-document.ts'
import type { Author } from '../evidence/record.ts'
import { record } from '../evidence/record.ts'
import { checkPrefilled } from '../fields/check-prefilled.ts'
import type { Checked } from '../fields/check-value.ts'
import { boxOf } from '../fields/field-box.ts'
import { type DocumentRow, updateDocumentUnscoped } from '../queries/documents.ts'
import { type FieldRow, listFieldsUnscoped } from '../queries/fields.ts'
import { type FileRow, listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped, type RecipientRow } from '../queries/recipients.ts'
import { copiedFiles, copyDocument } from './copy-document.ts'

export interface Use {
  template: DocumentRow
  maker: Maker
  by: Author
  request: Omit<UseBody, 'send'>
  /** The process that the document's events belong to. */
  correlationId?: string | undefined
  /** The document's folder; the template's folder by default. */
  folder?: string | undefined
  /** The node of a run that sends it. */
  sentBy?: { runId: string; lineId: string; nodeId: string } | undefined
  id?: string | undefined
  /** Its mails were counted, together with others. */
  isCounted?: boolean
}

/** Answers the document's id: for a day the same one for the same `Idempotency-Key`. */
export const useTemplate = async (
  context: SigningContext,
  change: Change,
  { body, key }: { body: UseBody; key: string | undefined },
): Promise<string> => {
  await prepareEarlierFiles(context, change)
  return withDocument(context, change, async (tx, template) => {
    const { kernel } = context
    const { actor } = change
    const id = kernel.ids.next()
    const name = { userId: actor.id, purpose: `template ${template.id}`, key }
    const first = await claimRequestKeyUnscoped(kernel, tx, { ...name, resultId: id })
    if (first !== id) return first
    const { send, ...request } = body
    const use = send ? instantiateAndSend : instantiate
    await use(context, tx, { id, template, maker: actor, by: authorOf(change), request })
    return id
  })
}

/** In the caller's transaction. */
export const instantiate = async (context: SigningContext, tx: Db, use: Use): Promise<DocumentRow> => {
  const { id, template, maker, by, request } = use
  const roles = await listRecipientsUnscoped(tx, template.id)
  const fields = await listFieldsUnscoped(tx, template.id)
  const values = await checkValues(context, { fields, files: await listFilesUnscoped(tx, template.id) }, request)
  const problems = [...problemsOfRoles(roles, request), ...values.problems]
  if (problems.length > 0) throw new AppError('validation_failed', { problems })
  const title = request.title ?? template.title
  const copied = await copyDocument(context, tx, {
    id,
    source: template,
    maker,
    kind: 'DOCUMENT',
    title,
    people: new Map(request.recipients.map(({ roleId, ...person }) => [roleId, person])),
    values: values.stored,
  })
  await record(context, tx, {
    documentId: copied.id,
    entries: [
      { type: 'created', by, detail: { title, template: template.id, files: await copiedFiles(tx, copied.id) } },
    ],
  })
  return updateDocumentUnscoped(tx, copied.id, {
    correlationId: use.correlationId ?? null,
    expiresAt: request.expiresAt ? new Date(request.expiresAt) : null,
    ...(use.folder !== undefined && { folder: use.folder }),
    ...(use.sentBy && { runId: use.sentBy.runId, runLine: use.sentBy.lineId, runNode: use.sentBy.nodeId }),
  })
}

export const instantiateAndSend = async (context: SigningContext, tx: Db, use: Use): Promise<DocumentRow> => {
  const document = await instantiate(context, tx, use)
  await sendDraft(context, tx, { document, by: use.by, isCounted: use.isCounted ?? false })
  return document
}

const problemsOfRoles = (roles: readonly RecipientRow[], { recipients }: Use['request']): FieldProblem[] => {
  const given = recipients.map(({ roleId }) => roleId)
  const unknown = given.flatMap((roleId, index) =>
    roles.some(({ id }) => id === roleId) && given.indexOf(roleId) === index
      ? []
      : [{ loc: ['body', 'recipients', index, 'roleId'], msg: 'The template has no such role.', type: 'unknown_role' }],
  )
  const missing = roles.flatMap(({ id, name }) =>
    given.includes(id)
      ? []
      : [{ loc: ['body', 'recipients'], msg: `Nobody was named for the role ${name}.`, type: 'role_missing' }],
  )
  return [...unknown, ...missing]
}

/** By field, as they are stored. */
const checkValues = async (
  { pdfWork }: SigningContext,
  { fields, files }: { fields: readonly FieldRow[]; files: readonly FileRow[] },
  { values = [] }: Use['request'],
) => {
  const problems: FieldProblem[] = []
  const stored = new Map<string, FieldValue>()
  for (const [index, { fieldId, value }] of values.entries()) {
    const field = fields.find(({ id }) => id === fieldId)
    const checked: Checked = field
      ? await checkPrefilled(pdfWork, { ...field, box: boxOf(files, field) }, value)
      : { problem: 'The template has no such field.' }
    if ('problem' in checked) {
      const loc = ['body', 'values', index, 'value']
      problems.push({ loc, msg: checked.problem, type: checked.type ?? 'invalid_value' })
    } else stored.set(fieldId, checked.value)
  }
  return { problems, stored }
}
