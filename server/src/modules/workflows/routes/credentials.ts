/** Credentials of HTTP requests. Their secrets are write-only. */
import * as endpoints from '@chancery/contract/endpoints/catalogs.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WorkflowsContext } from '../context.ts'
import { createCredential, deleteCredential, updateCredential } from '../credentials/save-credential.ts'
import { presentCredential } from '../present.ts'
import { findCredential, listCredentials, listUsers } from '../queries/credentials.ts'

export const credentialRoutes = (context: WorkflowsContext): Route[] => {
  const { db } = context.kernel
  const describe = async (actor: Actor, id: string) => {
    const credential = await findCredential(db, actor, id)
    if (!credential) throw new AppError('credential_not_found')
    return { ...presentCredential(credential), used_by: await listUsers(db, actor, id) }
  }
  return [
    route({
      ...endpoints.listCredentials,
      access: 'user',
      summary: 'List credentials for HTTP requests, by name',
      handle: async ({ actor, query }) => {
        const { items, total } = await listCredentials(db, actor, query)
        return { items: items.map(presentCredential), total }
      },
    }),
    route({
      ...endpoints.createCredential,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Create a credential for HTTP requests to one server',
      handle: async ({ actor, body, http }) =>
        describe(actor, await createCredential(context, actor, { body, from: http })),
    }),
    route({
      ...endpoints.getCredential,
      access: 'user',
      summary: 'Get a credential and the workflows that use it; never its secret',
      handle: ({ actor, params }) => describe(actor, params.id),
    }),
    route({
      ...endpoints.changeCredential,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change a credential; without a secret it keeps its own, unless it names another server',
      handle: async ({ actor, params, body, http }) => {
        await updateCredential(context, actor, { id: params.id, patch: body, from: http })
        return describe(actor, params.id)
      },
    }),
    route({
      ...endpoints.deleteCredential,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a credential; requests that use it fail from then on',
      handle: ({ actor, params, http }) => deleteCredential(context, actor, { id: params.id, from: http }),
    }),
  ]
}
