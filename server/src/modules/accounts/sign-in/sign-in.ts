/**
 * Login by email and password. Unknown, wrong, locked and deactivated get one answer after the same work: the same
 * queries, one password check, one counted failure, one audit entry.
 */
import type { OtpRequired } from '@chancery/contract/accounts/accounts.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import { addressBucket } from '#kernel/http/gate/rate-limit.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { type AccountsContext, asPrincipal, canonicalEmail } from '../context.ts'
import { guardLogin } from '../guard/login-guard.ts'
import type { ChallengeOwner, LoginPolicy, PasswordAttempt } from '../ports.ts'
import { confirmLoginUnscoped, findUserByEmailUnscoped, type UserRow } from '../queries/users.ts'
import type { ExternalLogin } from '../sessions/external-login.ts'
import { type OpenedSession, openSession } from '../sessions/open-session.ts'
import type { SignInMethod } from '../tables.ts'
import { lackingFactor, secondSteps } from './second-step.ts'
import { startChallenge } from './start-challenge.ts'

export type SignInResult = { user: UserRow; session: OpenedSession } | { challenge: OtpRequired }

interface Request {
  email: string
  password: string
}

export const signIn = async (
  context: AccountsContext,
  request: Request,
  from: Origin & Pick<HttpCall, 'cookies'>,
): Promise<SignInResult> => {
  const startedAt = performance.now()
  const email = canonicalEmail(request.email)
  const known = await findUserByEmailUnscoped(context.db, email)
  const guard = await guardLogin(
    context,
    { door: 'user', kind: 'user', email, ip: from.ip, cookies: from.cookies },
    known,
  )
  const attempt = { email, password: request.password, user: known, from }
  const user = guard.isLocked ? await context.passwords.pretend() : await checkPassword(context, attempt)
  if (user?.status !== 'ACTIVE') {
    await recordFailure(context, known, { from, isLocked: guard.isLocked })
    await context.failureTime.wait(startedAt)
    throw new AppError('invalid_credentials')
  }
  await guard.succeeded()
  const policy = await context.findLoginPolicy(user)
  const owner = ownerOf(user)
  const wantsEmail = user.loginOtp || policy.requiresOtp
  const asked = await askForSecondStep(context, { owner, wantsEmail, policy, cookies: from.cookies })
  return typeof asked === 'string' ? completeSignIn(context, user, { from, method: asked }) : { challenge: asked }
}

export const ownerOf = ({ id, email, passwordHash, organizationId }: UserRow): ChallengeOwner => ({
  kind: 'user',
  id,
  email,
  passwordHash,
  organizationId,
})

export interface SecondStepQuestion {
  owner: ChallengeOwner
  /** The mailed code: the person or their organization wants it. */
  wantsEmail: boolean
  policy: Pick<LoginPolicy, 'factors' | 'remembersBrowsers'>
  cookies: HttpCall['cookies']
}

/** After the right password: the second step, or how the sign-in is finished without one. */
export const askForSecondStep = async (
  context: AccountsContext,
  { owner, wantsEmail, policy, cookies }: SecondStepQuestion,
): Promise<OtpRequired | 'password' | 'remembered'> => {
  const { db, secondFactors } = context
  const owned = (await secondFactors?.listSteps(db, owner)) ?? []
  const methods = secondSteps({ owned, wantsEmail, policy: policy.factors })
  if (methods.length === 0) return 'password'
  const shown = policy.remembersBrowsers ? await secondFactors?.findRemembered(db, owner, cookies) : undefined
  if (shown && lackingFactor(policy.factors, shown) === null) return 'remembered'
  return startChallenge(context, { owner, methods, canRememberBrowser: policy.remembersBrowsers })
}

/** An unknown address is recorded without it: people type passwords into that field. */
const recordFailure = (
  { audit, db }: AccountsContext,
  user: UserRow | undefined,
  { from, isLocked }: { from: Origin; isLocked: boolean },
): Promise<void> =>
  audit.record(db, {
    action: 'account.sign_in_failed',
    by: 'anonymous',
    from,
    detail: { locked: isLocked },
    ...(user && { target: { kind: 'user', id: user.id }, organizationId: user.organizationId }),
  })

/**
 * The organization's rules come first: where it refuses passwords, nobody is asked about one. Exactly one of our own
 * hashes is checked, also when a directory decides, so that the time tells nothing.
 */
const checkPassword = async (context: AccountsContext, attempt: PasswordAttempt): Promise<UserRow | undefined> => {
  const { user, email, password, from } = attempt
  const policy = await context.findLoginPolicy(user ?? { email, organizationId: null })
  const verdict = policy.refusesPassword ? 'refused' : await askSources(context, attempt)
  const isRight = await context.passwords.verify(user?.passwordHash, password, addressBucket(from.ip))
  if (verdict === 'refused') return undefined
  if (verdict === 'not mine') return isRight ? user : undefined
  return (await context.findLoginPolicy(verdict)).refusesPassword ? undefined : verdict
}

/** An empty password is refused at once: some directories would take it for an anonymous bind and say yes. */
const askSources = async ({ passwordSources, failureTime }: AccountsContext, attempt: PasswordAttempt) => {
  if (attempt.password === '') return 'refused'
  const startedAt = performance.now()
  for (const check of passwordSources) {
    const verdict = await check(attempt)
    if (verdict === 'not mine') continue
    failureTime.note(performance.now() - startedAt)
    return verdict
  }
  return 'not mine'
}

interface Completion {
  from: Origin
  method: SignInMethod
  /** The session at the other login, where the person came from one. */
  external?: ExternalLogin
}

/** The person has proved who they are, here or elsewhere. */
export const completeSignIn = async (
  context: AccountsContext,
  user: UserRow,
  { from, method, external }: Completion,
) => {
  const policy = await context.findLoginPolicy(user)
  if (policy.isSuspended) throw new AppError('invalid_credentials')
  return context.db.transaction().execute(async (tx) => {
    const principal = asPrincipal(user)
    if (!(await confirmLoginUnscoped(tx, user, context.clock.now()))) throw new AppError('invalid_credentials')
    const detail = { method, ...(external && { issuer: external.issuer }) }
    const needsFactor = lackingFactor(policy.factors, method, external?.proofs)
    await context.audit.record(tx, { action: 'account.sign_in', by: principal, from, detail })
    return { user, session: await openSession(context, tx, { principal, from, method, needsFactor, external }) }
  })
}
