/**
 * Login by address and password. Unknown, wrong, locked and deactivated get one answer after the same work:
 * the same queries, one password check, one counted failure.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import { type AccountsContext, asPrincipal, canonicalEmail } from './context.ts'
import { guardLogin } from './login-guard.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { findUserByEmailUnscoped, noteLogin, type UserRow } from './queries/users.ts'
import { type OtpSent, startChallenge } from './start-challenge.ts'

export type SignInResult = { user: UserRow; session: OpenedSession } | { challenge: OtpSent }

interface Request {
  email: string
  password: string
}

export const signIn = async (context: AccountsContext, request: Request, from: Origin): Promise<SignInResult> => {
  const email = canonicalEmail(request.email)
  const user = await findUserByEmailUnscoped(context.db, email)
  const guard = await guardLogin(context, { door: 'user', email, ip: from.ip }, user?.id)
  const isRight = await context.passwords.verify(user?.passwordHash, request.password)
  if (!user || !isRight || guard.isLocked || user.status !== 'ACTIVE') {
    await guard.failed()
    throw new AppError('invalid_credentials')
  }
  await guard.succeeded()
  return user.loginOtp ? { challenge: await startChallenge(context, user) } : completeSignIn(context, user, from)
}

/** The row is locked first: a password change or deactivation that is under way counts as done before. */
export const completeSignIn = (context: AccountsContext, user: UserRow, from: Origin) =>
  context.db.transaction().execute(async (tx) => {
    const principal = asPrincipal(user)
    if (!(await noteLogin(tx, user, context.clock.now()))) throw new AppError('invalid_credentials')
    await context.audit.record(tx, { action: 'account.sign_in', by: principal, from })
    return { user, session: await openSession(context, tx, { principal, from }) }
  })
