/** Links that let a recipient in. The token is a random UUID; it is mailed once and kept as a hash alone. */
import { randomUUID } from 'node:crypto'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from './context.ts'
import { insertLinkUnscoped } from './queries/links.ts'

/** Adds a link; those mailed before go on working unless they are revoked. */
export const createLink = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  recipientId: string,
): Promise<string> => {
  const token = randomUUID()
  await insertLinkUnscoped(tx, { tokenHash: hashToken(token), recipientId, createdAt: kernel.clock.now() })
  return `${kernel.externalUrl}/sign/${token}`
}
