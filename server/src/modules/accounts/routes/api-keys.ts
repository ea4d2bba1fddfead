/** API keys: made once, shown once, listed without the key, revoked by id. */
import { ApiKeyBody, ApiKeyList, NewApiKey } from '@chancery/contract/api-keys.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { createApiKey } from '../keys/create-api-key.ts'
import { deleteApiKey } from '../keys/delete-api-key.ts'
import { presentApiKey, presentNewApiKey } from '../present.ts'
import { listApiKeys } from '../queries/api-keys.ts'

const base = '/api/v1/api-keys'

export const apiKeyRoutes = (context: AccountsContext): Route[] => [
  route({
    method: 'POST',
    path: base,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Make an API key; the key is shown only in this reply',
    limits: [{ per: 'actor', max: 60, windowSec: 3600 }],
    body: ApiKeyBody,
    reply: NewApiKey,
    status: 201,
    handle: async ({ actor, body, http }) =>
      presentNewApiKey(
        await context.db.transaction().execute((tx) => createApiKey(context, tx, { actor, request: body, from: http })),
      ),
  }),
  route({
    method: 'GET',
    path: base,
    access: 'signedIn',
    summary: 'The own API keys',
    reply: ApiKeyList,
    handle: async ({ actor }) => {
      const keys = await listApiKeys(context.db, actor)
      return { items: keys.map(presentApiKey), total: keys.length }
    },
  }),
  route({
    method: 'DELETE',
    path: `${base}/:id`,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Revoke an API key',
    handle: async ({ actor, params, http }) => {
      const isRevoked = await deleteApiKey(context, actor, { keyId: params.id, from: http })
      if (!isRevoked) throw new AppError('api_key_not_found')
    },
  }),
]
