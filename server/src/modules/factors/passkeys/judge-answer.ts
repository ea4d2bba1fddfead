/**
 * Whether a passkey's answer is right: to a question of ours for this purpose, from a page of ours, of a passkey that is
 * kept, not given before, and not of a copy of it. A right answer is used up by that.
 */
import type { PasskeyAnswer } from '@chancery/contract/accounts/factors.ts'
import type { Db } from '#kernel/db/database.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'
import type { FactorsContext } from '../context.ts'
import { type FactorRow, lockPasskeyUnscoped, updateFactorUnscoped } from '../queries.ts'
import { isOurs, type Purpose, useChallenge } from './challenges.ts'
import { relyingParty } from './relying-party.ts'

interface Question {
  purpose: Purpose
  kind: PrincipalKind
  /** Whose passkey it has to be; anybody's of this kind when it is the whole sign-in. */
  ownerId?: string
}

type Passkey = FactorRow & { credentialId: string; publicKey: Buffer; counter: number }

const isPasskey = (row: FactorRow | undefined): row is Passkey => row?.kind === 'passkey'

export const judgeAnswer = async (
  context: FactorsContext,
  tx: Db,
  response: PasskeyAnswer,
  { purpose, kind, ownerId }: Question,
): Promise<FactorRow | undefined> => {
  const passkey = await lockPasskeyUnscoped(tx, response.id)
  if (!isPasskey(passkey) || passkey.principalKind !== kind) return undefined
  if (ownerId !== undefined && passkey.principalId !== ownerId) return undefined
  const answer = await readAnswer(context, { response, passkey, purpose, isWholeSignIn: ownerId === undefined })
  if (!answer || !(await useChallenge(tx, answer.challenge))) return undefined
  if (isCopied(passkey.counter, answer.counter)) {
    const target = { kind: 'factor', id: passkey.id }
    await context.audit.record(tx, { action: `${context.owners[kind].area}.passkey_copied`, by: 'anonymous', target })
    return undefined
  }
  await updateFactorUnscoped(tx, passkey.id, { counter: answer.counter, lastUsedAt: context.clock.now() })
  return passkey
}

/** A passkey that counts only ever counts up; those that don't count stay at 0. */
const isCopied = (before: number, now: number): boolean => (before > 0 || now > 0) && now <= before

interface Given {
  response: PasskeyAnswer
  passkey: Passkey
  purpose: Purpose
  isWholeSignIn: boolean
}

const readAnswer = async (context: FactorsContext, { response, passkey, purpose, isWholeSignIn }: Given) => {
  const { id, origin } = relyingParty(context.externalUrl)
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  let challenge = ''
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: (given) => {
        challenge = given
        return isOurs(context, given, purpose)
      },
      expectedOrigin: origin,
      expectedRPID: id,
      // The count is compared here, where a copy is told from another wrong answer.
      credential: { id: passkey.credentialId, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
      requireUserVerification: isWholeSignIn,
    })
    return verified ? { challenge, counter: authenticationInfo.newCounter } : undefined
  } catch (problem) {
    context.log.debug({ problem }, 'an answer of a passkey was refused')
    return undefined
  }
}
