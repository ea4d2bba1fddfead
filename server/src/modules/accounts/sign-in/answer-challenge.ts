/**
 * Checks the answer to the second step of a login. Wrong ones are counted under the row's lock, so a hundred guesses at
 * once are a hundred guesses, whatever they are guesses of.
 */
import type { PasskeyAnswer, SecondStep } from '@chancery/contract/accounts/factors.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { equalsInConstantTime } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { openCodeRow } from '../guard/code-failures.ts'
import { findKnownBrowser } from '../guard/known-browser.ts'
import { offerMailedWay } from '../guard/locked-mail.ts'
import type { ChallengeOwner } from '../ports.ts'
import { proveAddressUnscoped } from '../proof/prove-address.ts'
import {
  type ChallengeRow,
  countRecentFailuresUnscoped,
  lockChallengeUnscoped,
  updateChallengeUnscoped,
} from '../queries/login-challenges.ts'
import { accountTries, isOpen } from './otp.ts'
import { macOfCode } from './start-challenge.ts'

/** Undefined for an account that isn't active, and for one of the other kind: each signs in at its own door. */
export type FindChallengeOwner = (
  db: Db,
  challenge: Pick<ChallengeRow, 'userId' | 'adminId'>,
) => Promise<ChallengeOwner | undefined>

export interface ChallengeAnswer {
  challengeId: string
  method?: SecondStep | undefined
  otp?: string | undefined
  response?: PasskeyAnswer | undefined
}

export interface ChallengeVisit {
  findOwner: FindChallengeOwner
  from: Origin & Pick<HttpCall, 'cookies'>
}

/** Throws `invalid_otp`, and `invalid_passkey`. */
export const answerChallenge = async (
  context: AccountsContext,
  answer: ChallengeAnswer,
  visit: ChallengeVisit,
): Promise<{ ownerId: string; method: SecondStep }> => {
  const { method = 'email' } = answer
  const { owner, lockedOut } = await context.db.transaction().execute((tx) => judge(context, tx, answer, visit))
  if (lockedOut) await offerMailedWay(context, { door: 'code', email: lockedOut.email }, lockedOut)
  if (!owner) throw new AppError(method === 'passkey' ? 'invalid_passkey' : 'invalid_otp')
  return { ownerId: owner.id, method }
}

interface Verdict {
  /** Whose answer it is. */
  owner?: ChallengeOwner
  /** Whose answers aren't accepted any more. */
  lockedOut?: ChallengeOwner
}

/** A wrong answer must be counted, so this returns rather than throws: a throw would undo it. */
const judge = async (
  context: AccountsContext,
  tx: Db,
  answer: ChallengeAnswer,
  { findOwner, from }: ChallengeVisit,
): Promise<Verdict> => {
  const now = context.clock.now()
  const challenge = await lockChallengeUnscoped(tx, answer.challengeId)
  const owner = challenge && (await findOwner(tx, challenge))
  if (!owner || !isOpen(challenge, now)) return {}
  const browser = findKnownBrowser(context, owner, from.cookies)
  const row = await openCodeRow(tx, { principalId: owner.id, browser, now })
  const hourAgo = new Date(now.getTime() - 3_600_000)
  // Counted once the row is held, which other challenges of the account wait for.
  const isOverHourly = (await countRecentFailuresUnscoped(tx, owner, hourAgo)) >= accountTries
  const isRight = !isOverHourly && !row.isExhausted && (await isRightAnswer(context, tx, { challenge, owner, answer }))
  if (!isRight) {
    await updateChallengeUnscoped(tx, challenge.id, { failures: challenge.failures + 1 })
    await recordFailure(context, tx, { owner, answer, from })
    if (row.isExhausted) return { lockedOut: owner }
    await row.failed()
    return {}
  }
  await row.succeeded()
  await updateChallengeUnscoped(tx, challenge.id, { usedAt: now })
  if ((answer.method ?? 'email') === 'email' && owner.kind === 'user') await proveByCode(context, tx, owner, challenge)
  return { owner }
}

const recordFailure = (
  { audit }: AccountsContext,
  tx: Db,
  { owner, answer, from }: { owner: ChallengeOwner; answer: ChallengeAnswer; from: Origin },
): Promise<void> =>
  audit.record(tx, {
    action: `${owner.kind === 'admin' ? 'platform' : 'account'}.second_step_failed`,
    by: 'anonymous',
    from,
    target: { kind: owner.kind, id: owner.id },
    organizationId: owner.organizationId ?? null,
    detail: { method: answer.method ?? 'email' },
  })

const isRightAnswer = async (
  { secrets, secondFactors }: AccountsContext,
  tx: Db,
  { challenge, owner, answer }: { challenge: ChallengeRow; owner: ChallengeOwner; answer: ChallengeAnswer },
): Promise<boolean> => {
  const { method = 'email', otp = '' } = answer
  if (!(challenge.methods ?? ['email']).includes(method)) return false
  if (method !== 'email') return (await secondFactors?.check(tx, owner, { ...answer, method })) ?? false
  return equalsInConstantTime(macOfCode(secrets.SVC_SECRET_KEY, challenge.id, otp.trim()), challenge.codeMac)
}

/** They knew the password, so it stays. */
const proveByCode = (
  context: AccountsContext,
  tx: Db,
  { id: userId, email }: ChallengeOwner,
  { mailId }: ChallengeRow,
): Promise<boolean> => proveAddressUnscoped(context, tx, { userId, email, proof: { mailId }, keeps: 'password' })
