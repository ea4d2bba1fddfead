/** What a recipient's page shows. While a code is due: nothing of the document. */
import type { SigningContext } from '../context.ts'
import { isOpen } from '../flow/states.ts'
import { languageOf } from '../mails/send-mails.ts'
import { presentField, presentFile } from '../present.ts'
import { listFieldsUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { consentIn } from './consent-text.ts'
import { refusalOf } from './refusals.ts'
import { getSigner, type Signer, type Visit } from './signer.ts'

export const describeSigning = async (context: SigningContext, visit: Visit) => {
  const signer = await getSigner(context, visit)
  const { document, recipient } = signer
  const language = languageOf(document, recipient)
  if (!signer.isIn) return { otpRequired: true as const, language, email: hidden(recipient.email) }
  return { otpRequired: false as const, language, ...(await factsFor(context, signer)) }
}

const factsFor = async (context: SigningContext, { document, recipient }: Signer) => {
  const { db, clock } = context.kernel
  const { organizationId } = document
  const [recipients, files, fields, organization] = await Promise.all([
    listRecipientsUnscoped(db, document.id),
    listFilesUnscoped(db, document.id),
    listFieldsUnscoped(db, document.id),
    organizationId === null ? undefined : context.organizations.findUnscoped(db, organizationId),
  ])
  const refusal = refusalOf({ document, recipient, recipients, now: clock.now() })
  /** After use, a link shows the finished state and nothing else. */
  const isOpenNow = isOpen(recipient) && document.state === 'SENT'
  const signedBy = new Set(recipients.filter(({ state }) => state === 'SIGNED').map(({ id }) => id))
  const { version, text } = consentIn(languageOf(document, recipient))
  const { id, title, message, state, ownerName, expiresAt, allowDelegation } = document
  return {
    document: {
      id,
      title,
      message,
      state,
      sender: { name: ownerName, organization: organization?.name ?? null },
      expiresAt: expiresAt?.toISOString() ?? null,
      allowDelegation,
      files: isOpenNow ? files.map(presentFile) : [],
    },
    recipient: {
      id: recipient.id,
      name: recipient.name,
      email: recipient.email,
      role: recipient.role,
      state: recipient.state,
      message: recipient.message,
    },
    recipients: recipients
      .filter((other) => other.state !== 'REPLACED')
      .map((other) => ({ name: other.name, role: other.role, state: other.state })),
    consent: { version, text, acceptedAt: recipient.consentedAt?.toISOString() ?? null },
    fields: isOpenNow
      ? fields
          .filter((field) => field.recipientId === recipient.id || signedBy.has(field.recipientId))
          .map((field) => ({ ...presentField(field), isMine: field.recipientId === recipient.id }))
      : [],
    canComplete: refusal === undefined,
    refusal: refusal ?? null,
    canDownload: document.state === 'COMPLETED',
  }
}

/** `ana@example.test` → `a•••@e•••.test`: enough to know which mailbox to open. */
const hidden = (email: string): string => {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/.exec(email) ?? []
  const ending = domain.slice(domain.lastIndexOf('.'))
  return `${[...local][0] ?? ''}•••@${[...domain][0] ?? ''}•••${ending}`
}
