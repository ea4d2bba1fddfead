/** `/api/org/identity-providers`: an organization's own places to sign in. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { getProvider, type ProvidersContext } from '../context.ts'
import { presentProvider } from '../present.ts'
import { listProviders } from '../queries.ts'
import { changeProvider, createProvider, removeProvider } from '../save-provider.ts'
import { testProvider } from '../test-provider.ts'

const limits = [{ per: 'actor', max: 60, windowSec: 3600 }] as const
const writes = { reachesOthers: false, whenReadOnly: 'refused' } as const

export const manageRoutes = (context: ProvidersContext): Route[] => [
  route({
    ...endpoints.listIdentityProviders,
    access: 'orgAdmin',
    summary: 'The organization’s own identity providers',
    handle: async ({ actor }) => {
      const items = (await listProviders(context.db, actor)).map((row) => presentProvider(context, row))
      return { items, total: items.length }
    },
  }),
  route({
    ...endpoints.createIdentityProvider,
    access: 'orgAdmin',
    writes,
    needsFreshProof: true,
    summary: 'Add an identity provider',
    limits,
    handle: async ({ actor, body, http }) =>
      presentProvider(context, await createProvider(context, actor, { body, from: http })),
  }),
  route({
    ...endpoints.getIdentityProvider,
    access: 'orgAdmin',
    summary: 'An identity provider; its client secret is never shown',
    handle: async ({ actor, params }) => presentProvider(context, await getProvider(context, actor, params.id)),
  }),
  route({
    ...endpoints.changeIdentityProvider,
    access: 'orgAdmin',
    writes,
    needsFreshProof: true,
    summary: 'Change an identity provider; a blank client secret keeps the stored one',
    limits,
    handle: async ({ actor, params, body, http }) =>
      presentProvider(context, await changeProvider(context, actor, { id: params.id, body, from: http })),
  }),
  route({
    ...endpoints.removeIdentityProvider,
    access: 'orgAdmin',
    writes,
    needsFreshProof: true,
    summary: 'Remove an identity provider and end the sessions that came from it',
    handle: ({ actor, params, http }) => removeProvider(context, actor, { id: params.id, from: http }),
  }),
  route({
    ...endpoints.testIdentityProvider,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Try an identity provider step by step, and show what it says of itself',
    limits: [{ per: 'actor', max: 120, windowSec: 3600 }],
    handle: ({ actor, params }) => testProvider(context, actor, params.id),
  }),
]
