/** The options that a browser hands to a passkey, as WebAuthn Level 3 has them in JSON. */
import type { Actor } from '#kernel/http/actor.ts'
import type { FactorsContext } from '../context.ts'
import type { FactorRow } from '../queries.ts'
import { newChallenge, type Purpose } from './challenges.ts'
import { relyingParty } from './relying-party.ts'

type Deps = Pick<FactorsContext, 'clock' | 'externalUrl' | 'secrets'>

const named = (factors: readonly FactorRow[]) =>
  factors.flatMap(({ credentialId, transports }) =>
    credentialId === null ? [] : [{ id: credentialId, transports: (transports ?? []) as never }],
  )

/** For a new passkey. Those that the account has are named, so that none is made twice. */
export const askForNew = async (deps: Deps, actor: Actor, has: readonly FactorRow[]) => {
  const { id: rpID } = relyingParty(deps.externalUrl)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: 'Chancery',
    rpID,
    userID: Uint8Array.from(Buffer.from(actor.id.replaceAll('-', ''), 'hex')),
    userName: actor.email,
    userDisplayName: actor.name,
    challenge: newChallenge(deps, `add ${actor.id}`),
    excludeCredentials: named(has),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** For an answer. Without passkeys to choose from, the browser offers those it has for this domain. */
export const askForAnswer = async (deps: Deps, purpose: Purpose, allowed: readonly FactorRow[] | undefined) => {
  const { id: rpID } = relyingParty(deps.externalUrl)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID,
    challenge: newChallenge(deps, purpose),
    userVerification: allowed ? 'preferred' : 'required',
    ...(allowed && { allowCredentials: named(allowed) }),
  })
}
