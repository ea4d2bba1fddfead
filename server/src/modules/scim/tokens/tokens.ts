/** Tokens for an organization's directory: made and shown once, kept as a hash, two at a time, never without an end. */
import type { ScimTokenBody } from '@chancery/contract/organizations/scim.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import type { ScimContext } from '../context.ts'
import { deleteEndedTokens, deleteToken, insertToken, type TokenRow } from '../queries/tokens.ts'

const dayMs = 86_400_000
const usualDays = 365
const mostDays = 2 * 365

export const tokenPrefix = 'scim_'

export const createToken = async (
  { db, clock, ids, audit }: ScimContext,
  actor: OrgActor,
  { name, expiresAt, from }: z.infer<typeof ScimTokenBody> & { from: Origin },
): Promise<{ row: TokenRow; token: string }> => {
  const now = clock.now()
  const end = expiresAt === undefined ? new Date(now.getTime() + usualDays * dayMs) : new Date(expiresAt)
  if (end <= now || end.getTime() > now.getTime() + mostDays * dayMs)
    throw problem(['expiresAt'], 'must be in the future, and within two years', 'invalid_value')
  const token = tokenPrefix + randomToken()
  const row = { id: ids.next(), name, tokenHash: hashToken(token), createdAt: now, expiresAt: end }
  return db.transaction().execute(async (tx) => {
    await deleteEndedTokens(tx, actor, now)
    const made = await insertToken(tx, actor, row)
    if (!made) throw new AppError('scim_token_limit')
    const target = { kind: 'scim_token', id: row.id }
    await audit.record(tx, { action: 'scim.create_token', by: actor, from, target, detail: { name, expiresAt: end } })
    return { row: made, token }
  })
}

export const revokeToken = (
  { db, audit }: ScimContext,
  actor: OrgActor,
  { id, from }: { id: string; from: Origin },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const gone = await deleteToken(tx, actor, id)
    if (!gone) throw new AppError('scim_token_not_found')
    const target = { kind: 'scim_token', id }
    await audit.record(tx, { action: 'scim.revoke_token', by: actor, from, target, detail: { name: gone.name } })
  })
