/** Back-channel logout: the provider says that a login has ended there, so the sessions that depend on it end here. */
import { hashToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { LogoutNotice } from '#kernel/oidc/index.ts'
import type { SsoContext } from './context.ts'
import { forgetUsedUnscoped, markUsedUnscoped } from './queries.ts'

/** Longer than any logout token is accepted. */
const rememberMs = 900_000

export const endExternalSessions = async (context: SsoContext, token: string): Promise<void> => {
  const { db, clock } = context
  const notice = await context.oidc.verifyLogoutToken(token)
  const expiresAt = new Date(clock.now().getTime() + rememberMs)
  const fingerprint = hashToken(`logout ${notice.issuer} ${notice.id}`)
  if (!(await markUsedUnscoped(db, { fingerprint, expiresAt })))
    throw new AppError('sso_failed', { detail: 'This logout token was used before.' })
  try {
    for (const userId of await whose(context, notice)) await endSessions(context, notice, userId)
  } catch (problem) {
    // The provider tells us again, and must be heard then.
    await forgetUsedUnscoped(db, fingerprint)
    throw problem
  }
}

/** A notice without a subject is found by the sessions themselves. */
const whose = async ({ accounts, db, clock }: SsoContext, notice: LogoutNotice): Promise<string[]> => {
  const { issuer, subject, sessionId } = notice
  if (subject !== undefined) {
    const user = await accounts.identities.findUserUnscoped(db, { issuer, subject })
    return user ? [user.id] : []
  }
  const ended = await accounts.sessions.revokeExternalUnscoped(db, { issuer, sessionId }, clock.now())
  return [...new Set(ended.map(({ principalId }) => principalId))]
}

const endSessions = (
  { accounts, audit, clock }: SsoContext,
  { issuer, sessionId }: LogoutNotice,
  userId: string,
): Promise<void> =>
  accounts.changePrincipal(userId, async (tx) => {
    await accounts.sessions.revokeExternalUnscoped(tx, { issuer, sessionId, userId }, clock.now())
    const target = { kind: 'user', id: userId }
    await audit.record(tx, { action: 'sso.sign_out', by: 'system', target, detail: { issuer } })
  })
