/** `/api/models` and `/api/v1/models` (contract, Health and models; Model). */
import { CustomModelList, Model, ModelBody, ModelItem, ModelList, ModelPatch } from '@chancery/contract/models.ts'
import { z } from 'zod'
import { type Route, route } from '#kernel/http/route.ts'
import type { ModelsContext } from '../../context.ts'
import { deleteModel } from '../delete-model.ts'
import { getModel, getModelItem, listOwnModels } from '../get-model.ts'
import { listModels } from '../list-models.ts'
import { createModel, updateModel } from '../save-model.ts'

const ListQuery = z.object({ refresh: z.enum(['true', 'false']).optional() })
/** A missing id is answered like an unknown one. */
const IdQuery = z.object({ id: z.string().max(300).default('') })

const base = '/api/v1/models'
const limits = [{ per: 'actor', max: 600, windowSec: 3600 }] as const
/** Every node holds every record in memory. */
const maxBodyBytes = 256 * 1024

export const modelRoutes = (context: ModelsContext): Route[] => [
  ...listRoutes(context),
  route({
    method: 'GET',
    path: `${base}/custom`,
    access: 'signedIn',
    summary: 'The models the caller made or may change; for platform admins every one, and what they say about others',
    reply: CustomModelList,
    handle: async ({ actor }) => {
      const items = await listOwnModels(context, actor)
      return { items, total: items.length }
    },
  }),
  route({
    method: 'GET',
    path: `${base}/model`,
    access: 'signedIn',
    summary: 'One model, by ?id=',
    query: IdQuery,
    reply: Model,
    handle: async ({ actor, query }) => getModel(context, actor, query.id),
  }),
  ...changeRoutes(context),
]

const listRoutes = (context: ModelsContext): Route[] =>
  (['/api/models', base] as const).flatMap((path) => [
    route({
      method: 'GET',
      path,
      access: 'signedIn',
      summary: 'Every model the caller may use; refresh=true asks the connections first',
      query: ListQuery,
      reply: ModelList,
      handle: async ({ actor, query }) => ({
        object: 'list' as const,
        data: await listModels(context, actor, { refresh: query.refresh === 'true' }),
      }),
    }),
    route({
      method: 'GET',
      path: `${path}/*` as const,
      access: 'signedIn',
      summary: 'One model of that list, whose id may hold slashes',
      reply: ModelItem,
      handle: ({ actor, params }) => getModelItem(context, actor, params['*']),
    }),
  ])

const changeRoutes = (context: ModelsContext): Route[] => [
  route({
    method: 'POST',
    path: `${base}/create`,
    access: 'signedIn',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Make a model on top of another; without a base (platform admins): rename, restrict or switch off a model',
    limits,
    maxBodyBytes,
    body: ModelBody,
    reply: Model,
    status: 201,
    handle: async ({ actor, body, http }) => {
      await createModel(context, actor, { body, from: http })
      return getModel(context, actor, body.id)
    },
  }),
  route({
    method: 'POST',
    path: `${base}/model/update`,
    access: 'signedIn',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Change a model, by ?id=; params and meta are replaced as a whole',
    limits,
    maxBodyBytes,
    query: IdQuery,
    body: ModelPatch,
    reply: Model,
    handle: async ({ actor, query, body, http }) => {
      await updateModel(context, actor, { id: query.id, patch: body, from: http })
      return getModel(context, actor, query.id)
    },
  }),
  route({
    method: 'DELETE',
    path: `${base}/model/delete`,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a model, by ?id=',
    limits,
    query: IdQuery,
    handle: ({ actor, query, http }) => deleteModel(context, actor, { id: query.id, from: http }),
  }),
]
