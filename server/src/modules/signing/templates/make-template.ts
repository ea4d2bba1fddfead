/** Makes a template from a document: the people in it become roles. For a day, the same key makes the same template. */
import type { TemplateBody } from '@chancery/contract/signing/templates.ts'
import { claimRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import type { SigningContext } from '../context.ts'
import { authorOf, type Change, withDocument } from '../documents/with-document.ts'
import { record } from '../evidence/record.ts'
import { listRecipientsUnscoped, type RecipientRow } from '../queries/recipients.ts'
import { copiedFiles, copyDocument } from './copy-document.ts'

const roleWords = { SIGNER: 'Signer', APPROVER: 'Approver', VIEWER: 'Viewer', CC: 'Copy' } as const

export const makeTemplate = (
  context: SigningContext,
  change: Change,
  { title, roles = [] }: Omit<TemplateBody, 'documentId'>,
  key?: string,
): Promise<string> =>
  withDocument(context, change, async (tx, source) => {
    const { kernel } = context
    const id = kernel.ids.next()
    const name = { userId: change.actor.id, purpose: `template of ${source.id}`, key }
    const first = await claimRequestKeyUnscoped(kernel, tx, { ...name, resultId: id })
    if (first !== id) return first
    const recipients = (await listRecipientsUnscoped(tx, source.id)).filter(({ state }) => state !== 'REPLACED')
    const named = title ?? source.title
    const template = await copyDocument(context, tx, {
      id,
      source,
      maker: change.actor,
      kind: 'TEMPLATE',
      title: named,
      people: namesFor(recipients, roles),
    })
    const detail = { title: named, from: source.id, files: await copiedFiles(tx, template.id) }
    await record(context, tx, {
      documentId: template.id,
      entries: [{ type: 'created', by: authorOf(change), detail }],
    })
    return template.id
  })

const namesFor = (recipients: readonly RecipientRow[], roles: NonNullable<TemplateBody['roles']>) => {
  const chosen = new Map(roles.map(({ recipientId, name }) => [recipientId, name]))
  const unknown = roles.findIndex(({ recipientId }) => !recipients.some(({ id }) => id === recipientId))
  if (unknown >= 0)
    throw problem(['roles', unknown, 'recipientId'], 'This document has no such recipient.', 'unknown_recipient')
  const names = recipients.map(
    ({ id, role, name, email }, index) => chosen.get(id) ?? (email === '' ? name : `${roleWords[role]} ${index + 1}`),
  )
  if (new Set(names).size < names.length) throw problem(['roles'], 'Each role needs a name of its own.', 'duplicate')
  return new Map(recipients.map(({ id }, index) => [id, { name: names[index] ?? '', email: '', language: null }]))
}
