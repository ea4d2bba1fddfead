/** Links that let a recipient in. The token is a random UUID; it is told once and kept as a hash alone. */
import { randomUUID } from 'node:crypto'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from './context.ts'
import { insertLinkUnscoped } from './queries/links.ts'

/**
 * Adds a link; earlier ones go on working unless they are revoked. Without a mail server somebody has to take it from the
 * outbox and hand it over, so it counts as copied.
 */
export const createLink = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { recipientId, isCopied = !kernel.mail.hasServer }: { recipientId: string; isCopied?: boolean },
): Promise<string> => {
  const token = randomUUID()
  const createdAt = kernel.clock.now()
  const link = { tokenHash: hashToken(token), recipientId, createdAt, isCopied }
  await insertLinkUnscoped(tx, { ...link, userId: null, expiresAt: null })
  return `${kernel.externalUrl}/sign/${token}`
}

/** Long enough for a long document; the account makes another one at any time. */
const accountLinkMs = 12 * 3_600_000

/** For a recipient who is signed in. Resending, replacing and delegating revoke it like any other. */
export const createAccountLink = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { recipientId, userId }: { recipientId: string; userId: string },
): Promise<{ path: string; expiresAt: Date }> => {
  const [token, createdAt] = [randomUUID(), kernel.clock.now()]
  const expiresAt = new Date(createdAt.getTime() + accountLinkMs)
  const link = { tokenHash: hashToken(token), recipientId, createdAt, isCopied: false }
  await insertLinkUnscoped(tx, { ...link, userId, expiresAt })
  return { path: `/sign/${token}`, expiresAt }
}
