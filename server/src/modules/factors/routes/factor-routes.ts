/** Second factors, passkeys and fresh proof: the same for people and for platform admins, each at their own address. */
import type * as adminEndpoints from '@chancery/contract/endpoints/factors/admins.ts'
import type * as endpoints from '@chancery/contract/endpoints/factors/people.ts'
import type { Actor, PrincipalKind } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { addPasskey, beginTotp, confirmTotp } from '../add-factor.ts'
import { forgetBrowsers, removeFactor, renameFactor, renewRecoveryCodes } from '../change-factors.ts'
import type { FactorsContext } from '../context.ts'
import { listFactors, presentFactor } from '../list-factors.ts'
import { askForAnswer, askForNew } from '../passkeys/ask.ts'
import { prove } from '../prove.ts'
import { listFactorsUnscoped } from '../queries.ts'

type Endpoints = typeof endpoints | typeof adminEndpoints

interface Door {
  at: Endpoints
  kind: PrincipalKind
  access: 'user' | 'platformOwner'
}

const own = { reachesOthers: false, whenReadOnly: 'allowed' } as const
const perActor = [{ per: 'actor', max: 100, windowSec: 3600 }] as const
const perAddress = [{ per: 'address', max: 1000, windowSec: 900 }] as const

export const factorRoutes = (context: FactorsContext, door: Door): Route[] => [
  ...listRoutes(context, door),
  ...totpRoutes(context, door),
  ...passkeyRoutes(context, door),
  ...proofRoutes(context, door),
]

const listRoutes = (context: FactorsContext, { at, access }: Door): Route[] => [
  route({
    ...at.listFactors,
    access,
    whileLackingFactor: true,
    summary: 'What your account has to prove itself with, and what is asked of it',
    handle: ({ actor }) => listFactors(context, actor),
  }),
  route({
    ...at.renameFactor,
    access,
    whileLackingFactor: true,
    writes: own,
    summary: 'Name an authenticator app or a passkey',
    limits: perActor,
    handle: async ({ actor, params, body, http }) =>
      presentFactor(await renameFactor(context, actor, { ...params, ...body, from: http })),
  }),
  route({
    ...at.removeFactor,
    access,
    needsFreshProof: true,
    writes: own,
    summary: 'Remove an authenticator app or a passkey',
    limits: perActor,
    handle: ({ actor, params, http }) => removeFactor(context, actor, { ...params, from: http }),
  }),
  route({
    ...at.renewRecoveryCodes,
    access,
    needsFreshProof: true,
    writes: own,
    summary: 'Make ten new recovery codes; the old ones end',
    limits: perActor,
    handle: async ({ actor, http }) => ({ recoveryCodes: await renewRecoveryCodes(context, actor, http) }),
  }),
  route({
    ...at.forgetBrowsers,
    access,
    writes: own,
    summary: 'Ask every browser for a second step again',
    limits: perActor,
    handle: ({ actor, http }) => forgetBrowsers(context, actor, http),
  }),
]

const totpRoutes = (context: FactorsContext, { at, access }: Door): Route[] => [
  route({
    ...at.addTotp,
    access,
    whileLackingFactor: true,
    needsFreshProof: true,
    writes: own,
    summary: 'Begin to set up an authenticator app',
    limits: perActor,
    handle: ({ actor }) => beginTotp(context, actor),
  }),
  route({
    ...at.confirmTotp,
    access,
    whileLackingFactor: true,
    writes: own,
    summary: 'Finish setting up an authenticator app with its first code',
    limits: perActor,
    handle: async ({ actor, params, body, http }) => ({
      recoveryCodes: await confirmTotp(context, actor, { ...params, ...body, from: http }),
    }),
  }),
]

const passkeyRoutes = (context: FactorsContext, { at, access, kind }: Door): Route[] => [
  route({
    ...at.askForPasskey,
    access,
    whileLackingFactor: true,
    needsFreshProof: true,
    writes: own,
    summary: 'What a browser needs to make a passkey',
    limits: perActor,
    handle: async ({ actor }) => ({ ...(await askForNew(context, actor, await passkeysOf(context, actor))) }),
  }),
  route({
    ...at.addPasskey,
    access,
    whileLackingFactor: true,
    needsFreshProof: true,
    writes: own,
    summary: 'Add a passkey',
    limits: perActor,
    maxBodyBytes: 65_536,
    handle: async ({ actor, body, http }) => {
      const { passkey, recoveryCodes } = await addPasskey(context, actor, { ...body, from: http })
      return { ...presentFactor(passkey), recoveryCodes }
    },
  }),
  route({
    ...at.askForSignIn,
    access: 'public',
    writes: own,
    summary: 'What a browser needs to sign in with a passkey alone',
    limits: perAddress,
    handle: async () => ({ ...(await askForAnswer(context, `sign in ${kind}`, undefined)) }),
  }),
  route({
    ...at.askForChallenge,
    access: 'public',
    writes: own,
    summary: 'What a browser needs to answer the second step of a sign-in with a passkey',
    limits: perAddress,
    handle: async ({ body: { challengeId } }) => {
      // Whoever knows the challenge has shown the password: which passkeys there are may be told, and a key that keeps none
      // itself has to be told.
      const owner = await context.accounts.logins.findChallengedUnscoped(challengeId)
      const passkeys = owner?.kind === kind ? await passkeysOf(context, owner) : []
      return { ...(await askForAnswer(context, `challenge ${challengeId}`, passkeys)) }
    },
  }),
]

const proofRoutes = (context: FactorsContext, { at, access }: Door): Route[] => [
  route({
    ...at.askForProof,
    access,
    whileLackingFactor: true,
    writes: own,
    summary: 'What a browser needs to prove with a passkey who you are',
    limits: perActor,
    handle: async ({ actor }) => {
      const passkeys = await passkeysOf(context, actor)
      return { ...(await askForAnswer(context, `prove ${actor.credential.id}`, passkeys)) }
    },
  }),
  route({
    ...at.prove,
    access,
    whileLackingFactor: true,
    writes: own,
    summary: 'Show again who you are; for five minutes you may then change how you sign in',
    limits: perActor,
    maxBodyBytes: 65_536,
    handle: async ({ actor, body, http }) => ({
      provedUntil: (await prove(context, actor, { body, from: http })).toISOString(),
    }),
  }),
]

const passkeysOf = async ({ db }: FactorsContext, actor: Pick<Actor, 'id'>) =>
  (await listFactorsUnscoped(db, actor)).filter(({ kind }) => kind === 'passkey')
