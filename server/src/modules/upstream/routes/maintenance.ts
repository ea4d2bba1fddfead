/** Paths that change a runtime or show what others do with it: only for the platform admin. */
import { RuntimeBody, RuntimeChoice, RuntimeCopyBody } from '@chancery/contract/models/upstream.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Models } from '#modules/models/index.ts'
import { shapeFor } from '../errors.ts'
import { chosenRuntime, forwardTo, listRunning, locateModel } from '../forward-to-runtime.ts'
import type { Fields } from '../model-defaults.ts'

const named = ['model', 'name']
const jsonHeaders = { 'content-type': 'application/json' }
const owned = { access: 'platformOwner', reply: 'raw', errorShape: shapeFor('/api/') } as const

const posted = (path: string, body: Fields) => ({
  method: 'POST' as const,
  path,
  headers: jsonHeaders,
  body: JSON.stringify(body),
})

export const maintenanceRoutes = (models: Models): Route[] => [
  ...installRoutes(models),
  ...modelRoutes(models),
  ...blobRoutes(models),
  route({
    ...owned,
    method: 'GET',
    path: '/upstream/api/ps',
    summary: 'Models that are loaded in any runtime',
    handle: async ({ http }) => ({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(await listRunning(models, http.signal)),
    }),
  }),
]

/** The model doesn't exist yet, so its name is the runtime's own. */
const installRoutes = (models: Models): Route[] =>
  (
    [
      ['/api/pull', 'Pull a model into a runtime; progress as NDJSON'],
      ['/api/create', 'Create a model in a runtime; progress as NDJSON'],
    ] as const
  ).map(([path, summary]) =>
    route({
      ...owned,
      method: 'POST',
      path: `/upstream${path}`,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary,
      query: RuntimeChoice,
      body: RuntimeBody,
      handle: async ({ query, body, http }) => {
        if (!named.some((field) => body[field] !== undefined)) throw new AppError('model_not_found')
        return forwardTo(chosenRuntime(models, query), { ...posted(path, body), http })
      },
    }),
  )

const modelRoutes = (models: Models): Route[] => [
  route({
    ...owned,
    method: 'POST',
    path: '/upstream/api/push',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    query: RuntimeChoice,
    body: RuntimeBody,
    summary: 'Push a model from a runtime to its library; progress as NDJSON',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: named, choice: query })
      return forwardTo(at.runtime, { ...posted('/api/push', at.body), http })
    },
  }),
  route({
    ...owned,
    method: 'POST',
    path: '/upstream/api/copy',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    query: RuntimeChoice,
    body: RuntimeCopyBody,
    summary: 'Copy a model of a runtime to a second name',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: ['source'], choice: query })
      return forwardTo(at.runtime, { ...posted('/api/copy', at.body), http })
    },
  }),
  route({
    ...owned,
    method: 'DELETE',
    path: '/upstream/api/delete',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    query: RuntimeChoice,
    body: RuntimeBody,
    summary: 'Delete a model from a runtime',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: named, choice: query })
      return forwardTo(at.runtime, { ...posted('/api/delete', at.body), method: 'DELETE', http })
    },
  }),
  route({
    ...owned,
    method: 'POST',
    path: '/upstream/api/unload',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    query: RuntimeChoice,
    body: RuntimeBody,
    summary: 'Unload a model from memory',
    handle: async ({ actor, query, body, http }) => {
      const at = await locateModel(models, actor, { body, fields: named, choice: query })
      const model = at.body.model ?? at.body.name
      return forwardTo(at.runtime, { ...posted('/api/generate', { model, keep_alive: 0, stream: false }), http })
    },
  }),
]

const blobRoutes = (models: Models): Route[] => [
  route({
    ...owned,
    method: 'GET',
    path: '/upstream/api/blobs/:digest',
    query: RuntimeChoice,
    summary: 'Whether a runtime has a blob; meant for HEAD',
    handle: async ({ params, query, http }) => {
      const path = blobPath(params.digest)
      return forwardTo(chosenRuntime(models, query), { method: 'HEAD', path, http })
    },
  }),
  route({
    ...owned,
    method: 'POST',
    path: '/upstream/api/blobs/:digest',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    query: RuntimeChoice,
    accepts: 'stream',
    summary: 'Upload a blob to a runtime, to create a model from',
    handle: async ({ params, query, http }) => {
      const path = blobPath(params.digest)
      const headers = { 'content-type': 'application/octet-stream' }
      return forwardTo(chosenRuntime(models, query), { method: 'POST', path, headers, body: http.incoming, http })
    },
  }),
]

/** The only part of a path that a caller writes. */
const blobPath = (digest: string): string => {
  if (!/^sha256[:-][0-9a-f]{64}$/.test(digest)) throw new AppError('not_found')
  return `/api/blobs/${digest}`
}
