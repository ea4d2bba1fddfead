/** `/api/models` and `/api/v1/models` (contract, Health and models; Model). */
import * as endpoints from '@chancery/contract/endpoints/models.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ModelsContext } from '../../context.ts'
import { deleteModel } from '../delete-model.ts'
import { getModel, getModelItem, listOwnModels } from '../get-model.ts'
import { listModels } from '../list-models.ts'
import { createModel, updateModel } from '../save-model.ts'

const base = '/api/v1/models'
const limits = [{ per: 'actor', max: 600, windowSec: 3600 }] as const
/** Every node holds every record in memory. */
const maxBodyBytes = 256 * 1024

export const modelRoutes = (context: ModelsContext): Route[] => [
  ...listRoutes(context),
  route({
    ...endpoints.listCustomModels,
    access: 'signedIn',
    summary: 'The models the caller made or may change; for platform admins every one, and what they say about others',
    handle: async ({ actor }) => {
      const items = await listOwnModels(context, actor)
      return { items, total: items.length }
    },
  }),
  route({
    ...endpoints.getCustomModel,
    access: 'signedIn',
    summary: 'One model, by ?id=',
    handle: async ({ actor, query }) => getModel(context, actor, query.id),
  }),
  ...changeRoutes(context),
]

const listRoutes = (context: ModelsContext): Route[] =>
  (['/api/models', base] as const).flatMap((path) => [
    route({
      ...endpoints.listModels,
      path,
      access: 'signedIn',
      summary: 'Every model the caller may use; refresh=true asks the connections first',
      handle: async ({ actor, query }) => ({
        object: 'list' as const,
        data: await listModels(context, actor, { refresh: query.refresh === 'true' }),
      }),
    }),
    route({
      ...endpoints.getModel,
      path: `${path}/*` as const,
      access: 'signedIn',
      summary: 'One model of that list, whose id may hold slashes',
      handle: ({ actor, params }) => getModelItem(context, actor, params['*']),
    }),
  ])

const changeRoutes = (context: ModelsContext): Route[] => [
  route({
    ...endpoints.createModel,
    access: 'signedIn',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Make a model on top of another; without a base (platform admins): rename, restrict or switch off a model',
    limits,
    maxBodyBytes,
    handle: async ({ actor, body, http }) => {
      await createModel(context, actor, { body, from: http })
      return getModel(context, actor, body.id)
    },
  }),
  route({
    ...endpoints.updateModel,
    access: 'signedIn',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Change a model, by ?id=; params and meta are replaced as a whole',
    limits,
    maxBodyBytes,
    handle: async ({ actor, query, body, http }) => {
      await updateModel(context, actor, { id: query.id, patch: body, from: http })
      return getModel(context, actor, query.id)
    },
  }),
  route({
    ...endpoints.deleteModel,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a model, by ?id=',
    limits,
    handle: ({ actor, query, http }) => deleteModel(context, actor, { id: query.id, from: http }),
  }),
]
