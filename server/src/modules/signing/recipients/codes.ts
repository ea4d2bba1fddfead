/** The mailed code that some documents ask for, and the session that it opens in one browser. */
import { equalsInConstantTime, hashToken, macOf, randomDigits, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { countMails } from '../mail-limits/count-mails.ts'
import { languageOf, mailCode } from '../mails/send-mails.ts'
import { lockDocumentUnscoped } from '../queries/documents.ts'
import { insertSessionUnscoped, lockCodeUnscoped, saveCodeUnscoped } from '../queries/links.ts'
import { updateRecipientUnscoped } from '../queries/recipients.ts'
import {
  codeDigits,
  codeLifeSec,
  isLocked,
  isTryable,
  nextSends,
  secondsUntilNext,
  sessionLifeSec,
  waitSec,
} from './code-rules.ts'
import { authorOf, getSigner, type Signer, type Visit } from './signer.ts'

const later = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000)

const macOfCode = ({ kernel }: SigningContext, recipientId: string, code: string): string =>
  macOf(kernel.secrets.SVC_SECRET_KEY, 'signing-otp', `${recipientId}:${code}`)

/** The document's lock also keeps two requests from mailing two codes. */
const withVisitor = async <Result>(
  context: SigningContext,
  visit: Visit,
  work: (tx: Db, signer: Signer) => Promise<Result>,
): Promise<Result> => {
  const { document } = await getSigner(context, visit)
  if (!document.emailOtp) throw new AppError('otp_not_needed')
  return context.kernel.db.transaction().execute(async (tx) => {
    await lockDocumentUnscoped(tx, document.id)
    return work(tx, await getSigner(context, visit, tx))
  })
}

export const requestCode = (context: SigningContext, visit: Visit) =>
  withVisitor(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const now = context.kernel.clock.now()
    const last = await lockCodeUnscoped(tx, recipient.id)
    if (last && isLocked(last)) throw new AppError('otp_locked')
    const wait = last ? secondsUntilNext(last, now) : 0
    if (wait > 0) throw new AppError('too_many_requests', { retryAfterSec: wait })
    // The holder of a copied link may be the sender.
    if (signer.isCopied)
      await countMails(context, tx, { sender: document, addresses: [recipient.email], isAutomatic: true })
    const code = randomDigits(codeDigits)
    const [sends, expiresAt] = [nextSends(last, now), later(now, codeLifeSec)]
    await saveCodeUnscoped(tx, {
      recipientId: recipient.id,
      codeMac: macOfCode(context, recipient.id, code),
      tries: 0,
      failures: last?.failures ?? 0,
      sends,
      sentAt: now,
      expiresAt,
      usedAt: null,
    })
    await mailCode(context, tx, { to: recipient.email, document, language: languageOf(document, recipient), code })
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'code_requested', by: authorOf(signer, visit), detail: { recipientId: recipient.id } }],
    })
    return { expiresAt, resendAfter: waitSec(sends) }
  })

interface Opened {
  sessionToken: string
  expiresAt: Date
}

/** A try is counted and committed whether or not it is right: a throw inside would undo the count. */
export const verifyCode = async (context: SigningContext, visit: Visit, otp: string): Promise<Opened> => {
  const opened = await withVisitor(context, visit, async (tx, signer) => {
    const now = context.kernel.clock.now()
    const code = await lockCodeUnscoped(tx, signer.recipient.id)
    if (!code || !isTryable(code, now)) return undefined
    const isRight = equalsInConstantTime(macOfCode(context, signer.recipient.id, otp.trim()), code.codeMac)
    const counted = { tries: code.tries + 1, failures: isRight ? 0 : code.failures + 1 }
    await saveCodeUnscoped(tx, { ...code, ...counted, usedAt: isRight ? now : null })
    await record(context, tx, {
      documentId: signer.document.id,
      entries: [
        {
          type: isRight ? 'code_verified' : 'code_failed',
          by: authorOf(signer, visit),
          detail: { recipientId: signer.recipient.id },
        },
      ],
    })
    return isRight ? openSession(context, tx, signer) : undefined
  })
  if (!opened) throw new AppError('invalid_otp')
  return opened
}

const openSession = async ({ kernel }: SigningContext, tx: Db, signer: Signer): Promise<Opened> => {
  const [now, sessionToken] = [kernel.clock.now(), randomToken()]
  const expiresAt = later(now, sessionLifeSec)
  const { recipient, linkHash } = signer
  await insertSessionUnscoped(tx, {
    tokenHash: hashToken(sessionToken),
    recipientId: recipient.id,
    linkHash,
    createdAt: now,
    expiresAt,
  })
  await updateRecipientUnscoped(tx, recipient.id, { otpVerifiedAt: now })
  return { sessionToken, expiresAt }
}
