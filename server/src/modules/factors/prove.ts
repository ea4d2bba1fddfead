/**
 * The person in a session shows again who they are: with a second factor where the account has one, else with the
 * password. For five minutes they may then do what asks for it.
 */
import type { ProveBody } from '@chancery/contract/accounts/factors.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import { requireSession } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { freshProofMs } from '#kernel/http/gate/route-rules.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { type ChallengeOwner, lackingFactor, type SignInMethod } from '#modules/accounts/index.ts'
import { checkAnswer, listSteps } from './check-answer.ts'
import type { FactorsContext } from './context.ts'

interface Request {
  body: ProveBody
  from: Origin & Pick<HttpCall, 'cookies'>
}

/** Answers until when it counts. */
export const prove = async (context: FactorsContext, actor: Actor, { body, from }: Request): Promise<Date> => {
  requireSession(actor, 'Sign in to prove that it is you.')
  const { accounts, clock, db, owners } = context
  const { area, find, findPolicy } = owners[actor.kind]
  const owner = await find(db, actor.id)
  if (!owner) throw new AppError('not_authenticated')
  const { email } = owner
  const attempt = { door: `${actor.kind} prove`, kind: actor.kind, email, ip: from.ip, cookies: from.cookies }
  const guard = await accounts.logins.guard(attempt, owner)
  const method = guard.isLocked ? undefined : await showFactor(context, { actor, owner, body })
  if (!method) {
    await context.audit.record(db, {
      action: `${area}.proof_failed`,
      by: actor,
      from,
      target: { kind: actor.kind, id: actor.id },
      detail: { method: triedIn(body) },
    })
    throw new AppError(refusalOf(body))
  }
  await guard.succeeded()
  const hasFactor = lackingFactor(await findPolicy(actor), method) === null
  await accounts.sessions.noteProof(actor, { hasFactor })
  return new Date(clock.now().getTime() + freshProofMs)
}

const triedIn = ({ otp, method = 'totp', response }: ProveBody): SignInMethod => {
  if (response) return 'passkey'
  return otp === undefined ? 'password' : method
}

const refusalOf = ({ otp, response }: ProveBody) => {
  if (response) return 'invalid_passkey'
  return otp === undefined ? 'wrong_password' : 'wrong_code'
}

interface Shown {
  actor: Actor
  owner: ChallengeOwner
  body: ProveBody
}

const showFactor = async (
  context: FactorsContext,
  { actor, owner, body }: Shown,
): Promise<SignInMethod | undefined> => {
  const { accounts, db } = context
  const { password = '', otp, method = 'totp', response } = body
  if (response === undefined && otp === undefined) {
    if ((await listSteps(db, owner)).length > 0) throw new AppError('factor_required')
    return (await accounts.passwords.verify(owner.passwordHash, password)) ? 'password' : undefined
  }
  const answer = response ? { method: 'passkey' as const, response } : { method, otp }
  const purpose = `prove ${actor.credential.id}` as const
  const isRight = await db.transaction().execute((tx) => checkAnswer(context, tx, owner, { ...answer, purpose }))
  return isRight ? answer.method : undefined
}
