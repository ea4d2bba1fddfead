/**
 * Sends a template to people who are named by role, with values by label: for models, and for workflows. The same checks
 * as by hand: an ended trial, an unproven address, the plan, every rule of the template.
 */
import { FieldValue, isMark, SigningLanguage } from '@chancery/contract/signing/signing.ts'
import { EmailAddress, line, PersonName } from '@chancery/contract/text.ts'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SigningContext } from '../context.ts'
import { prepareEarlierFiles } from '../documents/prepare-earlier.ts'
import { requireSender } from '../documents/require-sender.ts'
import { withDocument } from '../documents/with-document.ts'
import { onlyTheSigner } from '../fields/check-prefilled.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { listFieldsUnscoped } from '../queries/fields.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { instantiateAndSend, type Use } from './use-template.ts'

export interface SendRequest {
  templateId: string
  title?: string | undefined
  folder?: string | undefined
  recipients: readonly { role: string; name: string; email: string; language?: string | undefined }[]
  values: Readonly<Record<string, unknown>>
  expiresAt: Date | null
  correlationId?: string | undefined
  /** The tool that sends it, or `workflow`, for the audit log. */
  agent: string
  sentBy?: Use['sentBy']
}

/** `findSent` runs under the template's lock: two calls that may send the same never both do. */
export const sendTemplate = async (
  context: SigningContext,
  actor: Actor,
  request: SendRequest,
  findSent?: (tx: Db) => Promise<DocumentRow | undefined>,
): Promise<DocumentRow> => {
  await requireSender(context, actor)
  const from = { ip: '', userAgent: request.agent }
  const change = { actor, id: request.templateId, from, kind: 'TEMPLATE' } as const
  await prepareEarlierFiles(context, change)
  const document = await withDocument(context, change, async (tx, template) => {
    const sent = await findSent?.(tx)
    if (sent) return sent
    return instantiateAndSend(context, tx, {
      template,
      maker: actor,
      by: { kind: 'user', actor, from },
      request: await readRequest(tx, template, request),
      correlationId: request.correlationId,
      folder: request.folder,
      sentBy: request.sentBy,
    })
  })
  context.bus.wake()
  return document
}

const Checked = z.object({
  title: line(200).optional(),
  folder: line(120).optional(),
  recipients: z.array(
    z.object({ roleId: z.string(), name: PersonName, email: EmailAddress, language: SigningLanguage.optional() }),
  ),
  values: z.array(z.object({ fieldId: z.string(), value: FieldValue })),
})

/** Names become ids. Everything that the template does not have, and every text of the wrong shape, is refused here. */
const readRequest = async (tx: Db, template: DocumentRow, request: SendRequest): Promise<Use['request']> => {
  const roles = await listRecipientsUnscoped(tx, template.id)
  const fields = await listFieldsUnscoped(tx, template.id)
  const problems: string[] = []
  const recipients = request.recipients.flatMap(({ role, ...person }) => {
    const found = roles.find(({ name }) => name.toLowerCase() === role.trim().toLowerCase())
    if (!found)
      problems.push(`The template has no role "${role}". It has: ${roles.map(({ name }) => name).join(', ')}.`)
    return found ? [{ roleId: found.id, ...person }] : []
  })
  const values = Object.entries(request.values).flatMap(([label, value]) => {
    const labelled = fields.filter((field) => field.label?.toLowerCase() === label.trim().toLowerCase())
    const found = labelled.filter(({ type }) => !isMark(type))
    if (labelled.length === 0) problems.push(`The template has no field with the label "${label}".`)
    else if (found.length === 0) problems.push(`${label}: ${onlyTheSigner}`)
    // A value that the run does not have leaves what the template has.
    return value === null || value === undefined ? [] : found.map(({ id }) => ({ fieldId: id, value: asValue(value) }))
  })
  const { title, folder } = request
  const checked = Checked.safeParse({ title, folder, recipients, values })
  if (!checked.success) problems.push(...checked.error.issues.map(wordsFor))
  if (problems.length > 0 || !checked.success) throw refusal(problems)
  const { folder: _folder, ...rest } = checked.data
  return { ...rest, expiresAt: request.expiresAt?.toISOString() ?? null }
}

const asValue = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

const wordsFor = ({ path, message }: z.core.$ZodIssue): string => `${path.join('.')}: ${message}.`

const refusal = (problems: readonly string[]): AppError =>
  new AppError('tool_failed', {
    detail: problems.join(' '),
    problems: problems.map((msg) => ({ loc: ['template'], msg, type: 'template' })),
  })
