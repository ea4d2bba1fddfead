/** Catalogs: named sets of model credentials. Their keys are write-only. */
import * as endpoints from '@chancery/contract/endpoints/catalogs.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { createCatalog, deleteCatalog, updateCatalog } from '../catalogs/save-catalog.ts'
import type { WorkflowsContext } from '../context.ts'
import { presentCatalog } from '../present.ts'
import { findCatalog, listCatalogs } from '../queries/catalogs.ts'

export const catalogRoutes = (context: WorkflowsContext): Route[] => {
  const { db, config } = context.kernel
  const describe = async (actor: Actor, id: string) => {
    const catalog = await findCatalog(db, actor, id)
    if (!catalog) throw new AppError('catalog_not_found')
    return presentCatalog(catalog)
  }
  return [
    route({
      ...endpoints.listCatalogs,
      access: 'user',
      summary: 'List catalogs of model credentials, by name',
      handle: async ({ actor, query }) => {
        const { items, total } = await listCatalogs(db, actor, query)
        return { items: items.map(presentCatalog), total, currency: config.SVC_CURRENCY }
      },
    }),
    route({
      ...endpoints.createCatalog,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Create a catalog',
      handle: async ({ actor, body, http }) =>
        describe(actor, await createCatalog(context, actor, { body, from: http })),
    }),
    route({
      ...endpoints.getCatalog,
      access: 'user',
      summary: 'Get a catalog; it says whether an entry has a key, and never the key',
      handle: ({ actor, params }) => describe(actor, params.id),
    }),
    route({
      ...endpoints.changeCatalog,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change a catalog; an entry sent without a key keeps its own, unless it points at another server',
      handle: async ({ actor, params, body, http }) => {
        await updateCatalog(context, actor, { id: params.id, patch: body, from: http })
        return describe(actor, params.id)
      },
    }),
    route({
      ...endpoints.deleteCatalog,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a catalog',
      handle: ({ actor, params, http }) => deleteCatalog(context, actor, { id: params.id, from: http }),
    }),
  ]
}
