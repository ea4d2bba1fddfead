/** What the server says of itself: the same for every organization. */
import * as endpoints from '@chancery/contract/endpoints/scim/directory.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ScimContext } from '../context.ts'
import { schemasOf, serviceProvider, typesOf } from '../protocol/discovery.ts'
import { jsonOf, listOf } from '../protocol/resource.ts'
import { baseOf } from '../settings.ts'
import { asScim } from './declare.ts'

const oneOf = <Item>(items: readonly Item[], isIt: (item: Item) => boolean) => {
  const found = items.find(isIt)
  if (!found) throw new AppError('scim_not_found')
  return jsonOf(found)
}

export const discoveryRoutes = (context: Pick<ScimContext, 'externalUrl'>): Route[] => {
  const base = baseOf(context)
  const [schemas, types] = [schemasOf(base), typesOf(base)]
  return [
    route({
      ...endpoints.getScimProvider,
      ...asScim,
      summary: 'SCIM: what is supported',
      handle: async () => jsonOf(serviceProvider(base)),
    }),
    route({
      ...endpoints.listScimSchemas,
      ...asScim,
      summary: 'SCIM: the attributes of people and groups',
      handle: async () => jsonOf(listOf(schemas, { from: 0, total: schemas.length })),
    }),
    route({
      ...endpoints.getScimSchema,
      ...asScim,
      summary: 'SCIM: the attributes of one kind',
      handle: async ({ params }) => oneOf(schemas, ({ id }) => id === params.schema),
    }),
    route({
      ...endpoints.listScimTypes,
      ...asScim,
      summary: 'SCIM: the kinds of resources',
      handle: async () => jsonOf(listOf(types, { from: 0, total: types.length })),
    }),
    route({
      ...endpoints.getScimType,
      ...asScim,
      summary: 'SCIM: one kind of resource',
      handle: async ({ params }) => oneOf(types, ({ name }) => name === params.name),
    }),
  ]
}
