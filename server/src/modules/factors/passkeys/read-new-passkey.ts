/** What a browser says of a passkey that it has just made. */
import type { PasskeyAnswer } from '@chancery/contract/accounts/factors.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FactorsContext } from '../context.ts'
import { isOurs, useChallenge } from './challenges.ts'
import { relyingParty } from './relying-party.ts'

/** Throws `invalid_passkey`. The result uses the answer up, in the transaction that keeps the passkey. */
export const readNewPasskey = async (context: FactorsContext, actor: Actor, response: PasskeyAnswer) => {
  const { id, origin } = relyingParty(context.externalUrl)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  let challenge = ''
  const read = await verifyRegistrationResponse({
    response: response as never,
    expectedChallenge: (given) => {
      challenge = given
      return isOurs(context, given, `add ${actor.id}`)
    },
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch((problem: unknown) => {
    context.log.debug({ problem }, 'a new passkey was refused')
    return { verified: false as const }
  })
  if (!read.verified) throw new AppError('invalid_passkey')
  const { credential } = read.registrationInfo
  // The library reads the name out of the signed part, where the schema has not seen its length.
  if (credential.id !== response.id) throw new AppError('invalid_passkey')
  return async (tx: Db) => {
    if (!(await useChallenge(tx, challenge))) throw new AppError('invalid_passkey')
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((each) => typeof each === 'string').slice(0, 10),
    }
  }
}
