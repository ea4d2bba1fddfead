/** Connections to where models live, for the platform's owners. */
import * as endpoints from '@chancery/contract/endpoints/models.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ModelsContext } from '../context.ts'
import { presentConnection } from './present-connection.ts'
import { createConnection, deleteConnection, updateConnection } from './save-connection.ts'
import { testConnection } from './test-connection.ts'

export const connectionRoutes = (context: ModelsContext): Route[] => {
  const { connections, kernel } = context
  const present = (id: string) => {
    const settings = connections.configured().find((one) => one.id === id)
    if (!settings) throw new AppError('connection_not_found')
    return presentConnection(settings, connections.find(id))
  }
  return [
    route({
      ...endpoints.listConnections,
      access: 'platformOwner',
      summary: 'All connections, those of the environment first, with their health',
      handle: async () => {
        connections.touch()
        const items = connections.configured().map(({ id }) => present(id))
        return { items, total: items.length, currency: kernel.config.SVC_CURRENCY }
      },
    }),
    route({
      ...endpoints.createConnection,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Connect a local runtime or a provider',
      handle: async ({ actor, body, http }) => present(await createConnection(context, actor, { body, from: http })),
    }),
    route({
      ...endpoints.testConnection,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Test a connection without saving it; with an id its saved key is used, for the same server',
      handle: async ({ body, http }) => testConnection(context, { body, signal: http.signal }),
    }),
    route({
      ...endpoints.getConnection,
      access: 'platformOwner',
      summary: 'One connection',
      handle: async ({ params }) => present(params.id),
    }),
    route({
      ...endpoints.changeConnection,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change a connection; without a key it keeps its own, unless it is pointed at another server',
      handle: async ({ actor, params, body, http }) => {
        await updateConnection(context, actor, { id: params.id, patch: body, from: http })
        return present(params.id)
      },
    }),
    route({
      ...endpoints.deleteConnection,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Remove a connection',
      handle: ({ actor, params, http }) => deleteConnection(context, actor, { id: params.id, from: http }),
    }),
  ]
}
