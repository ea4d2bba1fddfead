/** A platform admin signs in, by the same rules and with the same single answer as everybody else. */

import type { OtpRequired } from '@chancery/contract/accounts/accounts.ts'
import type { PasskeyAnswer } from '@chancery/contract/accounts/factors.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { addressBucket } from '#kernel/http/gate/rate-limit.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import {
  type ChallengeOwner,
  canonicalEmail,
  type FindChallengeOwner,
  lackingFactor,
  type OpenedSession,
  type ShownStep,
  type SignInMethod,
} from '#modules/accounts/index.ts'
import type { AdminContext } from './context.ts'
import { asAdminPrincipal } from './principal.ts'
import { type AdminRow, findAdminByEmailUnscoped, findAdminByIdUnscoped, setLastLoginUnscoped } from './queries.ts'

type Visitor = Origin & Pick<HttpCall, 'cookies'>

export interface AdminSignedIn {
  admin: AdminRow
  session: OpenedSession
}

export const signInAdmin = async (
  context: AdminContext,
  request: { email: string; password: string },
  from: Visitor,
): Promise<AdminSignedIn | { challenge: OtpRequired }> => {
  const { accounts, policy } = context
  const email = canonicalEmail(request.email)
  const admin = await findAdminByEmailUnscoped(context.db, email)
  const guard = await accounts.logins.guard(
    { door: 'admin', kind: 'admin', email, ip: from.ip, cookies: from.cookies },
    admin,
  )
  const isRight = guard.isLocked
    ? await accounts.passwords.pretend()
    : await accounts.passwords.verify(admin?.passwordHash, request.password, addressBucket(from.ip))
  if (!admin || !isRight || !admin.active) {
    const target = admin && { kind: 'admin', id: admin.id }
    await context.audit.record(context.db, {
      action: 'platform.sign_in_failed',
      by: 'anonymous',
      from,
      ...(target && { target }),
    })
    throw new AppError('invalid_credentials')
  }
  await guard.succeeded()
  const asked = await accounts.logins.askForSecondStep({
    owner: adminOwner(admin),
    wantsEmail: false,
    policy: policy(),
    cookies: from.cookies,
  })
  return typeof asked === 'string' ? complete(context, admin, { from, method: asked }) : { challenge: asked }
}

export const adminOwner = ({ id, email, passwordHash }: AdminRow): ChallengeOwner => ({
  kind: 'admin',
  id,
  email,
  passwordHash,
})

/** A person's challenge is none at this door. */
export const findChallengedAdmin: FindChallengeOwner = async (db, { adminId }) => {
  const admin = adminId === null ? undefined : await findAdminByIdUnscoped(db, adminId)
  return admin?.active ? adminOwner(admin) : undefined
}

type Answer = Parameters<AdminContext['accounts']['logins']['answerChallenge']>[0]

export const finishAdminSignIn = async (
  context: AdminContext,
  answer: Answer,
  from: Visitor,
): Promise<AdminSignedIn & Pick<ShownStep, 'method'>> => {
  const visit = { findOwner: findChallengedAdmin, from }
  const { ownerId, method } = await context.accounts.logins.answerChallenge(answer, visit)
  return { ...(await complete(context, await findActive(context, ownerId, 'invalid_otp'), { from, method })), method }
}

export const signInAdminByPasskey = async (
  context: AdminContext,
  { response, from }: { response: PasskeyAnswer; from: Origin },
): Promise<AdminSignedIn> => {
  const id = await context.factors.findAdminByPasskey({ response, from })
  return complete(context, await findActive(context, id, 'invalid_passkey'), { from, method: 'passkey' })
}

const findActive = async ({ db }: AdminContext, id: string, refusal: 'invalid_otp' | 'invalid_passkey') => {
  const admin = await findAdminByIdUnscoped(db, id)
  if (!admin?.active) throw new AppError(refusal)
  return admin
}

interface Completion {
  from: Origin
  method: SignInMethod
}

const complete = (context: AdminContext, admin: AdminRow, { from, method }: Completion): Promise<AdminSignedIn> =>
  context.db.transaction().execute(async (tx) => {
    const by = asAdminPrincipal(admin)
    await context.audit.record(tx, { action: 'platform.sign_in', by, from, detail: { method } })
    return openAdminSession(context, tx, { admin, from, method })
  })

export const openAdminSession = async (
  context: AdminContext,
  tx: Db,
  { admin, from, method }: Completion & { admin: AdminRow },
): Promise<AdminSignedIn> => {
  const lastLoginAt = context.clock.now()
  await setLastLoginUnscoped(tx, admin.id, lastLoginAt)
  const needsFactor = lackingFactor(context.policy().factors, method)
  const principal = asAdminPrincipal(admin)
  const session = await context.accounts.sessions.open(tx, { principal, from, method, needsFactor })
  return { admin: { ...admin, lastLoginAt }, session }
}
