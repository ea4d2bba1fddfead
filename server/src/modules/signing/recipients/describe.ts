/** The content of a recipient's page. While a code is due: nothing of the document. */
import type { SigningReply } from '@chancery/contract/signing/recipient.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { SigningContext } from '../context.ts'
import { languageOf } from '../mails/send-mails.ts'
import { presentField, presentFile } from '../present.ts'
import { findSigningPageUnscoped, type SigningPage } from '../queries/signing-page.ts'
import { startsAnew } from '../start-anew.ts'
import { consentIn } from './consent-text.ts'
import { refusalOf } from './refusals.ts'
import { isTheirs, linkHashOf, missed, presentedSession, type Visit } from './signer.ts'

export const describeSigning = (context: SigningContext, visit: Visit): Promise<SigningReply> =>
  context.pages.get(linkHashOf(visit), async () => {
    const page = await getPage(context, visit)
    const { document, userId } = page
    // Access to these two depends on a session or an account, which end by other ways than the document's.
    const isShared = !document.emailOtp && userId === null
    const untilMs = isShared ? (document.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) : 0
    return { page: await present(context, page), documentId: document.id, untilMs }
  })

const getPage = async (context: SigningContext, visit: Visit): Promise<SigningPage> => {
  const { db, clock } = context.kernel
  const session = presentedSession(visit.http)
  const page = await findSigningPageUnscoped(db, {
    linkHash: linkHashOf(visit),
    sessionHash: session === undefined ? '' : hashToken(session),
    now: clock.now(),
  })
  if (!page || !(await isTheirs(db, { userId: page.userId, email: page.recipient.email })))
    throw await missed(context, visit)
  if (!startsAnew(page)) return page
  // As it will be with the first action through this link, which reading must not bring about.
  return { ...page, recipient: { ...page.recipient, state: 'NOTIFIED', consentedAt: null } }
}

const present = async (context: SigningContext, page: SigningPage): Promise<SigningReply> => {
  const { document, recipient, hasSession } = page
  const language = languageOf(document, recipient)
  if (document.emailOtp && !hasSession) return { otpRequired: true, language, email: hidden(recipient.email) }
  return { otpRequired: false, language, ...(await factsFor(context, page)) }
}

const factsFor = async ({ kernel, organizations }: SigningContext, page: SigningPage) => {
  const { document, recipient, recipients, files, fields } = page
  const { id, title, message, summary, state, language, ownerName, organizationId, expiresAt, allowDelegation } =
    document
  const organization = organizationId === null ? undefined : await organizations.findUnscoped(kernel.db, organizationId)
  const refusal = refusalOf({ document, recipient, recipients, now: kernel.clock.now() })
  const { version, text } = consentIn(languageOf(document, recipient))
  return {
    document: {
      id,
      title,
      message,
      summary,
      state,
      language,
      sender: { name: ownerName, organization: organization?.name ?? null },
      expiresAt: expiresAt?.toISOString() ?? null,
      allowDelegation,
      files: files.map(presentFile),
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
    fields: fields.map((field) => ({
      ...presentField(field),
      isMine: field.recipientId === recipient.id,
      isPrefilled: field.filledBy === 'SENDER',
    })),
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
