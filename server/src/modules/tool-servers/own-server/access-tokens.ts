/**
 * An MCP client's tokens for a sign-in: access for an hour, and a token to renew it with for thirty days after each
 * use. Renewing changes the secret of the same API key, so that the person sees one key for each client, and revoking
 * it ends both.
 */
import type { ClientTokenForm } from '@chancery/contract/accounts/mcp-clients.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { asPrincipal, findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { ToolServersContext } from '../context.ts'
import {
  findRefreshTokenUnscoped,
  insertRefreshTokenUnscoped,
  type RefreshTokenRow,
  useRefreshTokenUnscoped,
} from '../queries/mcp-refresh-tokens.ts'

export interface ClientTokens {
  accessToken: string
  refreshToken: string
}

export const accessSec = 3_600
const refreshMs = 30 * 86_400_000
/** A client whose connection broke may repeat a renewal: it has to sign in again, but nothing was stolen. */
const repeatMs = 60_000

type Context = Pick<ToolServersContext, 'kernel' | 'accounts'>

export const accessEnd = (now: Date): Date => new Date(now.getTime() + accessSec * 1000)

export const issueRefreshToken = async (
  { kernel: { clock } }: Context,
  tx: Db,
  owner: Pick<RefreshTokenRow, 'keyId' | 'userId' | 'clientHash'>,
): Promise<string> => {
  const token = randomToken()
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + refreshMs)
  await insertRefreshTokenUnscoped(tx, { ...owner, tokenHash: hashToken(token), expiresAt, now })
  return token
}

/** Undefined where the token is unknown, used, too old or another client's, or its key is revoked. */
export const renewAccess = async (
  context: Context,
  { form, from }: { form: z.output<typeof ClientTokenForm>; from: Origin },
): Promise<ClientTokens | undefined> => {
  const { accounts, kernel } = context
  const now = kernel.clock.now()
  const tokenHash = hashToken(form.refresh_token ?? '')
  const known = await findRefreshTokenUnscoped(kernel.db, { tokenHash, now })
  if (!known || known.clientHash !== hashToken(form.client_id ?? '')) return undefined
  const { keyId, userId, usedAt } = known
  if (usedAt !== null) {
    // It may be stolen: the holder of the newer one is cut off, too.
    const isRepeated = now.getTime() - usedAt.getTime() < repeatMs
    const owner = isRepeated ? undefined : await findUserByIdUnscoped(kernel.db, userId)
    if (owner) await accounts.revokeApiKey(asPrincipal(owner), { keyId, from })
    return undefined
  }
  return accounts.changePrincipal(userId, async (tx) => {
    if (!(await useRefreshTokenUnscoped(tx, { tokenHash, now }))) return undefined
    const accessToken = await accounts.renewApiKey(tx, { keyId, expiresAt: accessEnd(now) })
    if (accessToken === undefined) return undefined
    return { accessToken, refreshToken: await issueRefreshToken(context, tx, known) }
  })
}
