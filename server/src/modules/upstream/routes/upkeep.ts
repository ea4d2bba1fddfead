/** What changes a runtime, or shows what others do with it: for the platform owner alone. */
import { RuntimeBody, RuntimeChoice, RuntimeCopyBody } from '@chancery/contract/upstream.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Models } from '#modules/models/index.ts'
import type { Fields } from '../dress-request.ts'
import { shapeFor } from '../errors.ts'
import { chosenRuntime, forwardTo, listRunning, locateModel } from '../forward-to-runtime.ts'

const named = ['model', 'name']
const jsonHeaders = { 'content-type': 'application/json' }
const owned = { access: 'platformOwner', reply: 'raw', errorShape: shapeFor('/api/') } as const

const posted = (path: string, body: Fields) => ({
  ...{ method: 'POST' as const, path, headers: jsonHeaders, body: JSON.stringify(body) },
})

export const upkeepRoutes = (models: Models): Route[] => [
  ...bringRoutes(models),
  ...modelRoutes(models),
  ...blobRoutes(models),
  route({
    ...{ ...owned, method: 'GET', path: '/upstream/api/ps', summary: 'What runs at all runtimes' },
    handle: async ({ http }) => ({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(await listRunning(models, http.signal)),
    }),
  }),
]

/** The model is not there yet, so its name is the runtime's own. */
const bringRoutes = (models: Models): Route[] =>
  (
    [
      ['/api/pull', 'Fetch a model into a runtime; progress as NDJSON'],
      ['/api/create', 'Make a model in a runtime; progress as NDJSON'],
    ] as const
  ).map(([path, summary]) =>
    route({
      ...{ ...owned, method: 'POST', path: `/upstream${path}`, summary, query: RuntimeChoice, body: RuntimeBody },
      handle: async ({ query, body, http }) => {
        if (!named.some((field) => body[field] !== undefined)) throw new AppError('model_not_found')
        return forwardTo(chosenRuntime(models, query), { ...posted(path, body), http })
      },
    }),
  )

const modelRoutes = (models: Models): Route[] => [
  route({
    ...{ ...owned, method: 'POST', path: '/upstream/api/push', query: RuntimeChoice, body: RuntimeBody },
    summary: 'Send a model from a runtime to its library; progress as NDJSON',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: named, choice: query })
      return forwardTo(at.runtime, { ...posted('/api/push', at.body), http })
    },
  }),
  route({
    ...{ ...owned, method: 'POST', path: '/upstream/api/copy', query: RuntimeChoice, body: RuntimeCopyBody },
    summary: 'Give a model of a runtime a second name',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: ['source'], choice: query })
      return forwardTo(at.runtime, { ...posted('/api/copy', at.body), http })
    },
  }),
  route({
    ...{ ...owned, method: 'DELETE', path: '/upstream/api/delete', query: RuntimeChoice, body: RuntimeBody },
    summary: 'Delete a model from a runtime',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: named, choice: query })
      return forwardTo(at.runtime, { ...posted('/api/delete', at.body), method: 'DELETE', http })
    },
  }),
  route({
    ...{ ...owned, method: 'POST', path: '/upstream/api/unload', query: RuntimeChoice, body: RuntimeBody },
    summary: 'Take a model out of the memory of its runtime',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: named, choice: query })
      const model = at.body.model ?? at.body.name
      return forwardTo(at.runtime, { ...posted('/api/generate', { model, keep_alive: 0, stream: false }), http })
    },
  }),
]

const blobRoutes = (models: Models): Route[] => [
  route({
    ...{ ...owned, method: 'GET', path: '/upstream/api/blobs/:digest', query: RuntimeChoice },
    summary: 'Whether a runtime has a blob; meant for HEAD',
    handle: async ({ params, query, http }) => {
      const path = blobPath(params.digest)
      return forwardTo(chosenRuntime(models, query), { method: 'HEAD', path, http })
    },
  }),
  route({
    ...{ ...owned, method: 'POST', path: '/upstream/api/blobs/:digest', query: RuntimeChoice, accepts: 'stream' },
    summary: 'Put a blob into a runtime, to make a model of',
    handle: async ({ params, query, http }) => {
      const path = blobPath(params.digest)
      const headers = { 'content-type': 'application/octet-stream' }
      return forwardTo(chosenRuntime(models, query), { method: 'POST', path, headers, body: http.incoming, http })
    },
  }),
]

/** The only part of an address here that a caller writes. */
const blobPath = (digest: string): string => {
  if (!/^sha256[:-][0-9a-f]{64}$/.test(digest)) throw new AppError('not_found')
  return `/api/blobs/${digest}`
}
