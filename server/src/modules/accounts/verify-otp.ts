/** Checks a code. Wrong ones are counted under the row's lock, so a hundred guesses at once are a hundred guesses. */
import type { Origin } from '#kernel/audit/audit.ts'
import { equalsInConstantTime } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { AccountsContext } from './context.ts'
import { accountTries, isOpen } from './otp.ts'
import {
  countRecentFailuresUnscoped,
  lockChallengeUnscoped,
  updateChallengeUnscoped,
} from './queries/login-challenges.ts'
import { findUserByIdUnscoped, noteProvenEmailUnscoped } from './queries/users.ts'
import { completeSignIn } from './sign-in.ts'
import { macOfCode } from './start-challenge.ts'

interface Request {
  challengeId: string
  otp: string
}

export const verifyOtp = async (context: AccountsContext, request: Request, from: Origin) => {
  const userId = await context.db.transaction().execute((tx) => judgeCode(context, tx, request))
  const user = userId === undefined ? undefined : await findUserByIdUnscoped(context.db, userId)
  if (user?.status !== 'ACTIVE') throw new AppError('invalid_otp')
  return completeSignIn(context, user, { from })
}

/** The user whose code it is. A wrong code must be counted, so this returns rather than throws: a throw would undo it. */
const judgeCode = async (
  { clock, secrets }: AccountsContext,
  tx: Db,
  request: Request,
): Promise<string | undefined> => {
  const now = clock.now()
  const challenge = await lockChallengeUnscoped(tx, request.challengeId)
  if (!challenge || !isOpen(challenge, now)) return undefined
  const hourAgo = new Date(now.getTime() - 3_600_000)
  const isExhausted = (await countRecentFailuresUnscoped(tx, challenge.userId, hourAgo)) >= accountTries
  const mac = macOfCode(secrets.SVC_SECRET_KEY, challenge.id, request.otp.trim())
  if (isExhausted || !equalsInConstantTime(mac, challenge.codeMac)) {
    await updateChallengeUnscoped(tx, challenge.id, { failures: challenge.failures + 1 })
    return undefined
  }
  await updateChallengeUnscoped(tx, challenge.id, { usedAt: now })
  await noteProvenEmailUnscoped(tx, challenge.userId, now)
  return challenge.userId
}
