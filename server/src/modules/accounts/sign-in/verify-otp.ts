/** Checks a code. Wrong ones are counted under the row's lock, so a hundred guesses at once are a hundred guesses. */
import type { Origin } from '#kernel/audit/audit.ts'
import { equalsInConstantTime } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { openCodeRow } from '../guard/code-failures.ts'
import { findKnownBrowser } from '../guard/known-browser.ts'
import { offerMailedWay } from '../guard/locked-mail.ts'
import { proveAddressUnscoped } from '../proof/prove-address.ts'
import {
  countRecentFailuresUnscoped,
  lockChallengeUnscoped,
  updateChallengeUnscoped,
} from '../queries/login-challenges.ts'
import { findUserByIdUnscoped, type UserRow } from '../queries/users.ts'
import { accountTries, isOpen } from './otp.ts'
import { completeSignIn } from './sign-in.ts'
import { macOfCode } from './start-challenge.ts'

interface Request {
  challengeId: string
  otp: string
}

type Visitor = Origin & Pick<HttpCall, 'cookies'>

export const verifyOtp = async (context: AccountsContext, request: Request, from: Visitor) => {
  const { userId, lockedOut } = await context.db.transaction().execute((tx) => judgeCode(context, tx, request, from))
  if (lockedOut)
    await offerMailedWay(context, { door: 'code', email: lockedOut.email }, { kind: 'user', id: lockedOut.id })
  const user = userId === undefined ? undefined : await findUserByIdUnscoped(context.db, userId)
  if (user?.status !== 'ACTIVE') throw new AppError('invalid_otp')
  return completeSignIn(context, user, { from })
}

interface Verdict {
  /** Whose code it is. */
  userId?: string
  /** Whose codes aren't accepted any more. */
  lockedOut?: UserRow
}

/** A wrong code must be counted, so this returns rather than throws: a throw would undo it. */
const judgeCode = async (
  context: AccountsContext,
  tx: Db,
  request: Request,
  { cookies }: Visitor,
): Promise<Verdict> => {
  const { clock, secrets } = context
  const now = clock.now()
  const challenge = await lockChallengeUnscoped(tx, request.challengeId)
  const user = challenge && (await findUserByIdUnscoped(tx, challenge.userId))
  if (!user || !isOpen(challenge, now)) return {}
  const hourAgo = new Date(now.getTime() - 3_600_000)
  const isOverHourly = (await countRecentFailuresUnscoped(tx, user.id, hourAgo)) >= accountTries
  const browser = findKnownBrowser(context, { ...user, kind: 'user' }, cookies)
  const row = await openCodeRow(tx, { userId: user.id, browser, now })
  const mac = macOfCode(secrets.SVC_SECRET_KEY, challenge.id, request.otp.trim())
  const isRight = equalsInConstantTime(mac, challenge.codeMac)
  if (isOverHourly || row.isExhausted || !isRight) {
    await updateChallengeUnscoped(tx, challenge.id, { failures: challenge.failures + 1 })
    if (row.isExhausted) return { lockedOut: user }
    await row.failed()
    return {}
  }
  await row.succeeded()
  await updateChallengeUnscoped(tx, challenge.id, { usedAt: now })
  await proveByCode(context, tx, { user, mailId: challenge.mailId })
  return { userId: user.id }
}

/** They knew the password, so it stays. */
const proveByCode = (
  context: AccountsContext,
  tx: Db,
  { user: { id: userId, email }, mailId }: { user: UserRow; mailId: string | null },
): Promise<boolean> => proveAddressUnscoped(context, tx, { userId, email, proof: { mailId }, keeps: 'password' })
