/** The holder of a link, and whether they have typed the mailed code where the owner asks for one. */
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { addressBucket } from '#kernel/http/gate/rate-limit.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { isUuid } from '#kernel/ids.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { SigningContext } from '../context.ts'
import type { Author } from '../evidence/record.ts'
import { type DocumentRow, findDocumentUnscoped, lockDocumentUnscoped } from '../queries/documents.ts'
import { findRecipientByLinkUnscoped, hasSessionUnscoped } from '../queries/links.ts'
import type { RecipientRow } from '../queries/recipients.ts'
import { noteLink } from '../start-anew.ts'

export const sessionCookie = 'signing_session'
export const sessionHeader = 'x-signing-session'

type Call = Pick<HttpCall, 'ip' | 'userAgent' | 'header' | 'cookies'>

export interface Visit {
  token: string
  http: Call
}

export interface Signer {
  document: DocumentRow
  recipient: RecipientRow
  linkHash: string
  /** The account that opened the document from its inbox; null: a mailed or copied link did. */
  userId: string | null
  isCopied: boolean
  /** False while a code is due: then nothing of the document may be shown. */
  isIn: boolean
}

const missRate = { max: 60, windowSec: 600 }

/** Guessing links is slowed down by address; a link that exists is never counted. */
export const missed = async ({ kernel }: Pick<SigningContext, 'kernel'>, { http }: Visit): Promise<AppError> => {
  const { allowed, retryAfterSec } = await kernel.limits.take(`signing link ${addressBucket(http.ip)}`, missRate)
  return allowed ? new AppError('link_not_found') : new AppError('too_many_requests', { retryAfterSec })
}

export const presentedSession = (http: Call): string | undefined =>
  http.header(sessionHeader) ?? http.cookies[sessionCookie]

/** Throws `link_not_found` for what can't be a link. */
export const linkHashOf = ({ token }: Visit): string => {
  if (!isUuid(token)) throw new AppError('link_not_found')
  return hashToken(token.toLowerCase())
}

/** Throws `link_not_found` for a link that never was, was replaced, or belongs to somebody who was replaced. */
export const getSigner = async (
  context: Pick<SigningContext, 'kernel'>,
  visit: Visit,
  on: Db = context.kernel.db,
): Promise<Signer> => {
  const linkHash = linkHashOf(visit)
  const found = await findRecipientByLinkUnscoped(on, { tokenHash: linkHash, now: context.kernel.clock.now() })
  const document = found && (await findDocumentUnscoped(on, found.documentId))
  if (!found || !document || !(await isTheirs(on, found))) throw await missed(context, visit)
  const { userId, isCopied, ...recipient } = found
  const entered = await isIn(context, on, { document, linkHash, visit })
  return { document, recipient, linkHash, userId, isCopied, isIn: entered }
}

/** A link that an account made ends with it: when the person is deactivated or deleted, or has another address. */
export const isTheirs = async (
  on: Db,
  { userId, email }: { userId: string | null; email: string },
): Promise<boolean> => {
  const user = userId === null ? undefined : await findUserByIdUnscoped(on, userId)
  return userId === null || (user?.status === 'ACTIVE' && user.email === email)
}

const isIn = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  on: Db,
  { document, linkHash, visit }: { document: DocumentRow; linkHash: string; visit: Visit },
): Promise<boolean> => {
  if (!document.emailOtp) return true
  const session = presentedSession(visit.http)
  if (session === undefined) return false
  return hasSessionUnscoped(on, { tokenHash: hashToken(session), linkHash, now: kernel.clock.now() })
}

export const requireIn = (signer: Signer): Signer => {
  if (!signer.isIn) throw new AppError('otp_required')
  return signer
}

/**
 * The frame of every action of a recipient: one transaction with the document locked. The link is read again under the
 * lock, so that one that was replaced a moment ago is refused. Whether it was copied is noted for the evidence.
 */
export const withSigner = async <Result>(
  context: SigningContext,
  visit: Visit,
  work: (tx: Db, signer: Signer) => Promise<Result>,
): Promise<Result> => {
  const { document } = requireIn(await getSigner(context, visit))
  return context.pages.change(document.id, () =>
    context.kernel.db.transaction().execute(async (tx) => {
      await lockDocumentUnscoped(tx, document.id)
      const signer = requireIn(await getSigner(context, visit, tx))
      return work(tx, { ...signer, recipient: await noteLink(tx, signer) })
    }),
  )
}

export const authorOf = ({ recipient }: Signer, { http }: Visit): Author => ({
  kind: 'recipient',
  recipient,
  from: { ip: http.ip, userAgent: http.userAgent },
})
