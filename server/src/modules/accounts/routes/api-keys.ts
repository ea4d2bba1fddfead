/** API keys: made once, shown once, listed without the key, revoked by id. */
import type { ApiKeyBody } from '@chancery/contract/accounts/api-keys.ts'
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import { isRouteAllowed } from '#kernel/http/gate/normalise-path.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { createApiKey } from '../keys/create-api-key.ts'
import { deleteApiKey } from '../keys/delete-api-key.ts'
import { presentApiKey, presentNewApiKey } from '../present.ts'
import { listApiKeys } from '../queries/api-keys.ts'
import { requireProof } from '../sessions/require-proof.ts'

/** However that is written: one that can make keys can do everything that its owner can. */
const isForAll = ({ allowed_routes: allowed }: z.infer<typeof ApiKeyBody>): boolean =>
  isRouteAllowed(endpoints.createApiKey.path, allowed ?? null)

export const apiKeyRoutes = (context: AccountsContext): Route[] => [
  route({
    ...endpoints.createApiKey,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Make an API key; the key is shown only in this reply',
    limits: [{ per: 'actor', max: 60, windowSec: 3600 }],
    handle: async ({ actor, body, http }) => {
      if (isForAll(body)) await requireProof(context, actor)
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
