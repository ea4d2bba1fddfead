/** Makes an API key. It inherits its owner's rights, and never more than the credential that made it. */
import type { ApiKeyBody } from '@chancery/contract/accounts/api-keys.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isWithinPrefix } from '#kernel/http/gate/normalise-path.ts'
import type { AccountsContext } from '../context.ts'
import { type ApiKeyRow, findLiveKeyByIdUnscoped, insertApiKeyUnscoped } from '../queries/api-keys.ts'
import { findLiveSessionUnscoped } from '../queries/sessions.ts'
import { lockUsersUnscoped } from '../queries/users.ts'

type Request = z.infer<typeof ApiKeyBody>

const shownCharacters = 10

export const newKey = (random: string): { key: string; prefix: string } => {
  const key = `sk-${random}`
  return { key, prefix: key.slice(0, shownCharacters) }
}

/** In the caller's transaction. */
export const createApiKey = async (
  { clock, ids, audit }: AccountsContext,
  tx: Db,
  { actor, request, from }: { actor: Actor; request: Request; from: Origin },
): Promise<{ row: ApiKeyRow; key: string }> => {
  const expiresAt = request.expires_at ? new Date(request.expires_at * 1000) : null
  const allowedRoutes = request.allowed_routes ?? null
  if (expiresAt) requireReasonableEnd(expiresAt, clock.now())
  requireOwnRights(actor, { allowedRoutes, expiresAt })
  await requireLiveCredential(tx, actor)
  const { key, prefix } = newKey(randomToken())
  const row: ApiKeyRow = {
    id: ids.next(),
    principalKind: actor.kind,
    principalId: actor.id,
    parentId: actor.credential.kind === 'key' ? actor.credential.id : null,
    name: request.name,
    prefix,
    keyHash: hashToken(key),
    allowedRoutes,
    createdAt: clock.now(),
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
  }
  await insertApiKeyUnscoped(tx, row)
  const target = { kind: 'api_key', id: row.id }
  await audit.record(tx, {
    action: 'api_key.create',
    by: actor,
    from,
    target,
    detail: { name: row.name, allowedRoutes },
  })
  return { row, key }
}

/** Under the lock that is held to end all of a person's credentials: a key must not outlive what it was made with. */
const requireLiveCredential = async (tx: Db, { id, kind, credential }: Actor): Promise<void> => {
  if (kind === 'user') await lockUsersUnscoped(tx, [id])
  const find = credential.kind === 'key' ? findLiveKeyByIdUnscoped : findLiveSessionUnscoped
  if (!(await find(tx, credential.id))) throw new AppError('not_authenticated')
}

/** A key without an end leaves the field out; a number beyond the calendar is milliseconds sent as seconds. */
const requireReasonableEnd = (end: Date, now: Date): void => {
  const isReasonable = end > now && end.getTime() < Date.UTC(10_000, 0)
  if (isReasonable) return
  const msg = 'must be a Unix time in seconds, in the future and before the year 10000'
  throw new AppError('validation_failed', { problems: [{ loc: ['body', 'expires_at'], msg, type: 'custom' }] })
}

/** Throws `key_exceeds_own_rights`. */
export const requireOwnRights = (
  { credential }: Pick<Actor, 'credential'>,
  asked: Pick<ApiKeyRow, 'allowedRoutes' | 'expiresAt'>,
): void => {
  if (credential.kind !== 'key') return
  const own = credential.allowedRoutes
  const routesFit =
    own === null ||
    (asked.allowedRoutes?.every((route) => own.some((prefix) => isWithinPrefix(route, prefix))) ?? false)
  const endFits = credential.expiresAt === null || (asked.expiresAt !== null && asked.expiresAt <= credential.expiresAt)
  if (!routesFit || !endFits) throw new AppError('key_exceeds_own_rights')
}
