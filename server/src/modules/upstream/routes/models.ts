/** The runtime paths that are open to every signed-in user. */
import { RuntimeBody } from '@chancery/contract/models/upstream.ts'
import { AppError } from '#kernel/errors.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { shapeFor } from '../errors.ts'
import { forwardToModel, type Gateway } from '../forward-to-model.ts'
import { forwardToAny } from '../forward-to-runtime.ts'
import { listCompatModels, listTags } from '../list-runtime-models.ts'
import { type ModelPath, modelPaths } from '../paths.ts'

/** Images are sent inside the body. */
const maxBodyBytes = 32 * 1024 * 1024

export const modelRoutes = ({ models, ...gateway }: Gateway): Route[] => [
  ...modelPaths.map((to) => modelRoute({ models, ...gateway }, to, `/upstream${to.path}`)),
  ...sdkPaths.flatMap(([path, at]) =>
    modelPaths.filter((to) => to.path === at).map((to) => modelRoute({ models, ...gateway }, to, path)),
  ),
  route({
    ...open('/api/tags'),
    summary: 'The models of all runtimes that the caller may use',
    handle: async ({ actor }) => json(await listTags(models, actor)),
  }),
  route({
    ...open('/v1/models'),
    summary: 'The same list in the common format',
    handle: async ({ actor }) => json(await listCompatModels(models, actor)),
  }),
  route({
    ...open('/v1/models/*'),
    summary: 'One model of that list',
    handle: async ({ actor, params }) => {
      const { data } = await listCompatModels(models, actor)
      const found = data.find((model) => 'id' in model && model.id === params['*'])
      if (!found) throw new AppError('model_not_found')
      return json(found)
    },
  }),
  route({
    ...open('/api/version'),
    summary: 'The version of the runtime',
    handle: ({ http }) => forwardToAny(models, { method: 'GET', path: '/api/version', http }),
  }),
  route({
    ...open('/'),
    summary: 'Whether a runtime is reachable',
    handle: ({ http }) => forwardToAny(models, { method: 'GET', path: '/', http }),
  }),
]

/** At the base address that SDKs of the common API are given for chat. */
const sdkPaths = [
  ['/api/embeddings', '/v1/embeddings'],
  ['/api/responses', '/v1/responses'],
] as const

const modelRoute = (gateway: Gateway, to: ModelPath, path: string): Route =>
  route({
    method: 'POST',
    path,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: to.summary,
    reply: 'raw',
    body: RuntimeBody,
    maxBodyBytes,
    errorShape: shapeFor(to.path),
    handle: ({ actor, body, http }) => forwardToModel(gateway, actor, { to, body, http }),
  })

const open = <const Path extends string>(path: Path) => ({
  method: 'GET' as const,
  path: `/upstream${path}` as const,
  access: 'signedIn' as const,
  reply: 'raw' as const,
  errorShape: shapeFor(path),
})

const json = (body: object): RawReply => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
})
