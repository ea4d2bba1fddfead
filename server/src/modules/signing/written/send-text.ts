/** Sends a document that is made of a text, for a node of a run. All of it in one transaction, or nothing. */

import { SigningLanguage } from '@chancery/contract/signing/signing.ts'
import { maxTextLength, TextVariables } from '@chancery/contract/signing/written.ts'
import { EmailAddress, line, PersonName } from '@chancery/contract/text.ts'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { claimRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext } from '../context.ts'
import { requireSender } from '../documents/require-sender.ts'
import { sendDraft } from '../documents/send-document.ts'
import { authorOf } from '../documents/with-document.ts'
import { type DocumentRow, updateDocumentUnscoped } from '../queries/documents.ts'
import { insertFromText } from './create-from-text.ts'
import { sameRole, withWrittenPages } from './write-pages.ts'

export interface TextToSend {
  markdown: string
  title?: string | undefined
  folder?: string | undefined
  recipients: readonly { role: string; name: string; email: string; language?: string | undefined }[]
  /** Values for the variables of the text. */
  values: Readonly<Record<string, unknown>>
  expiresAt: Date | null
  correlationId?: string | undefined
  sentBy: { runId: string; lineId: string; nodeId: string }
}

const Checked = z.object({
  title: line(200),
  folder: line(120).optional(),
  markdown: z.string().max(maxTextLength),
  recipients: z.array(
    z.object({ role: z.string(), name: PersonName, email: EmailAddress, language: SigningLanguage.optional() }),
  ),
  values: TextVariables,
})

/** `findSent` runs in the transaction: of two calls for one node, the second finds what the first sent. */
export const sendText = async (
  context: SigningContext,
  actor: Actor,
  request: TextToSend,
  findSent: (tx: Db) => Promise<DocumentRow | undefined>,
): Promise<DocumentRow> => {
  await requireSender(context, actor)
  const { kernel } = context
  const { title, folder, markdown, recipients, values } = check(request)
  const from = { ip: '', userAgent: 'workflow' }
  const { runId, lineId, nodeId } = request.sentBy
  const wanted = { source: { markdown, variables: values, paper: 'A4' as const }, title, tenant: scopeOf(actor) }
  const document = await withWrittenPages(context, wanted, (pages) =>
    kernel.db.transaction().execute(async (tx) => {
      const id = kernel.ids.next()
      const key = { userId: actor.id, purpose: `document of ${runId}`, key: nodeId }
      // Waits for another call of the same node, and then finds what it sent.
      await claimRequestKeyUnscoped(kernel, tx, { ...key, resultId: id })
      const sent = await findSent(tx)
      if (sent) return sent
      requireRoles(pages.roles, recipients)
      await insertFromText(context, tx, { id, actor, from, title, pages, people: recipients })
      const made = await updateDocumentUnscoped(tx, id, {
        correlationId: request.correlationId ?? null,
        expiresAt: request.expiresAt,
        folder: folder ?? null,
        runId,
        runLine: lineId,
        runNode: nodeId,
      })
      await sendDraft(context, tx, { document: made, by: authorOf({ actor, from }) })
      return made
    }),
  )
  context.bus.wake()
  return document
}

const check = ({ title, folder, markdown, recipients, values }: TextToSend): z.output<typeof Checked> => {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  const checked = Checked.safeParse({ title, folder, markdown, recipients, values: Object.fromEntries(given) })
  if (!checked.success) throw refusal(checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`))
  return checked.data
}

const requireRoles = (roles: readonly string[], people: readonly { role: string }[]): void => {
  const missing = roles.filter((role) => !people.some((one) => sameRole(one.role, role)))
  const unknown = people.filter(({ role }) => !roles.some((one) => sameRole(one, role)))
  const problems = [
    ...missing.map((role) => `Nobody was named for the role ${role}.`),
    ...unknown.map(({ role }) => `The text has no role "${role}". It has: ${roles.join(', ')}.`),
  ]
  if (problems.length > 0) throw refusal(problems)
}

const refusal = (problems: readonly string[]): AppError =>
  new AppError('tool_failed', {
    detail: problems.join(' '),
    problems: problems.map((msg) => ({ loc: ['text'], msg, type: 'text' })),
  })
