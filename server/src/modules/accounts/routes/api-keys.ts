/** API keys: made once, shown once, listed without the key, revoked by id. */
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { hasFreshProof } from '#kernel/http/gate/route-rules.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { createApiKey } from '../keys/create-api-key.ts'
import { deleteApiKey } from '../keys/delete-api-key.ts'
import { presentApiKey, presentNewApiKey } from '../present.ts'
import { listApiKeys } from '../queries/api-keys.ts'

/** A key that can do everything would outlast what guards the sign-in: whoever has a second factor shows it first. */
const requireProofForAll = async ({ clock, db, secondFactors }: AccountsContext, actor: Actor): Promise<void> => {
  if (actor.credential.kind !== 'session' || hasFreshProof(actor, clock.now())) return
  const owned = (await secondFactors?.listSteps(db, actor)) ?? []
  if (owned.length > 0) throw new AppError('fresh_proof_required')
}

export const apiKeyRoutes = (context: AccountsContext): Route[] => [
  route({
    ...endpoints.createApiKey,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Make an API key; the key is shown only in this reply',
    limits: [{ per: 'actor', max: 60, windowSec: 3600 }],
    handle: async ({ actor, body, http }) => {
      if (body.allowed_routes === undefined) await requireProofForAll(context, actor)
      const made = await context.db
        .transaction()
        .execute((tx) => createApiKey(context, tx, { actor, request: body, from: http }))
      return presentNewApiKey(made)
    },
  }),
  route({
    ...endpoints.listApiKeys,
    access: 'signedIn',
    summary: 'The own API keys',
    handle: async ({ actor }) => {
      const keys = await listApiKeys(context.db, actor)
      return { items: keys.map(presentApiKey), total: keys.length }
    },
  }),
  route({
    ...endpoints.revokeApiKey,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Revoke an API key',
    handle: async ({ actor, params, http }) => {
      const isRevoked = await deleteApiKey(context, actor, { keyId: params.id, from: http })
      if (!isRevoked) throw new AppError('api_key_not_found')
    },
  }),
]
