/** A login: one row, one token. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Principal } from '#kernel/http/actor.ts'
import type { AccountsContext } from '../context.ts'
import { insertSessionUnscoped } from '../queries/sessions.ts'
import { noteLastLoginUnscoped } from '../queries/users.ts'
import type { SessionsTable, SignInMethod } from '../tables.ts'
import type { ExternalLogin } from './external-login.ts'

export interface OpenedSession {
  id: string
  token: string
  expiresAt: Date | null
}

export interface Opening {
  principal: Principal
  from: Origin
  method: SignInMethod
  /** What the person has to add or show before the session may do anything else. */
  needsFactor?: SessionsTable['needsFactor']
  external?: ExternalLogin | undefined
}

type Deps = Pick<AccountsContext, 'clock' | 'ids' | 'tokens' | 'config'>

/** Part of the caller's transaction: when that rolls back, the token names no session and is refused. */
export const openSession = async (
  { clock, ids, tokens, config }: Deps,
  db: Db,
  { principal, from, method, needsFactor = null, external }: Opening,
): Promise<OpenedSession> => {
  const createdAt = clock.now()
  const lifeMs = config.JWT_EXPIRES_IN
  const expiresAt = lifeMs === null ? null : new Date(createdAt.getTime() + lifeMs)
  const id = ids.next()
  await insertSessionUnscoped(db, {
    id,
    principalKind: principal.kind,
    principalId: principal.id,
    ip: from.ip,
    userAgent: from.userAgent,
    createdAt,
    lastUsedAt: createdAt,
    expiresAt,
    revokedAt: null,
    issuer: external?.issuer ?? null,
    externalSessionId: external?.sessionId ?? null,
    method,
    provedAt: createdAt,
    needsFactor,
  })
  if (principal.kind === 'user') await noteLastLoginUnscoped(db, principal.id, createdAt)
  return { id, token: await tokens.sign(principal, { id, createdAt, expiresAt }), expiresAt }
}
