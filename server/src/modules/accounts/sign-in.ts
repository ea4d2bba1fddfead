/**
 * Login by address and password. Unknown, wrong, locked and deactivated get one answer after the same work:
 * the same queries, one password check, one counted failure.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import { type AccountsContext, asPrincipal, canonicalEmail } from './context.ts'
import { guardLogin } from './login-guard.ts'
import { type ExternalLogin, type OpenedSession, openSession } from './open-session.ts'
import type { PasswordAttempt } from './ports.ts'
import { findUserByEmailUnscoped, noteLoginUnscoped, type UserRow } from './queries/users.ts'
import { type OtpSent, startChallenge } from './start-challenge.ts'

export type SignInResult = { user: UserRow; session: OpenedSession } | { challenge: OtpSent }

interface Request {
  email: string
  password: string
}

export const signIn = async (context: AccountsContext, request: Request, from: Origin): Promise<SignInResult> => {
  const email = canonicalEmail(request.email)
  const known = await findUserByEmailUnscoped(context.db, email)
  const guard = await guardLogin(context, { door: 'user', email, ip: from.ip }, known?.id)
  const user = await checkPassword(context, { email, password: request.password, user: known, from })
  if (!user || guard.isLocked || user.status !== 'ACTIVE') {
    await guard.failed()
    throw new AppError('invalid_credentials')
  }
  await guard.succeeded()
  const needsCode = user.loginOtp || (await context.findLoginPolicy(user)).requiresOtp
  return needsCode ? { challenge: await startChallenge(context, user) } : completeSignIn(context, user, { from })
}

/** Exactly one of our own hashes is checked, whoever decides, so that the time tells nothing. */
const checkPassword = async (context: AccountsContext, attempt: PasswordAttempt): Promise<UserRow | undefined> => {
  const verdict = await askSources(context, attempt)
  const isRight = await context.passwords.verify(attempt.user?.passwordHash, attempt.password)
  if (verdict === 'refused') return undefined
  if (verdict !== 'not mine') return verdict
  if (!isRight || !attempt.user || (await context.findLoginPolicy(attempt.user)).refusesPassword) return undefined
  return attempt.user
}

/** An empty password is nobody's: some directories would take it for an anonymous visit and say yes. */
const askSources = async ({ passwordSources }: AccountsContext, attempt: PasswordAttempt) => {
  if (attempt.password === '') return 'refused'
  for (const check of passwordSources) {
    const verdict = await check(attempt)
    if (verdict !== 'not mine') return verdict
  }
  return 'not mine'
}

interface Completion {
  from: Origin
  /** The login at the other side, when that is where the person came from. */
  external?: ExternalLogin
}

/** The person has proved who they are, here or elsewhere. */
export const completeSignIn = async (context: AccountsContext, user: UserRow, { from, external }: Completion) => {
  if ((await context.findLoginPolicy(user)).isSuspended) throw new AppError('invalid_credentials')
  return context.db.transaction().execute(async (tx) => {
    const principal = asPrincipal(user)
    if (!(await noteLoginUnscoped(tx, user, context.clock.now()))) throw new AppError('invalid_credentials')
    const detail = external ? { issuer: external.issuer } : {}
    await context.audit.record(tx, { action: 'account.sign_in', by: principal, from, detail })
    return { user, session: await openSession(context, tx, { principal, from, external }) }
  })
}
