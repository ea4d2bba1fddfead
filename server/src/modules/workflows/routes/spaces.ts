/** Spaces: named contexts that workflows and their runs belong to. */
import * as endpoints from '@chancery/contract/endpoints/catalogs.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { getSpace } from '../catalogs/get-space.ts'
import { createSpace, deleteSpace, updateSpace } from '../catalogs/save-space.ts'
import type { WorkflowsContext } from '../context.ts'
import { presentSpace } from '../present.ts'
import { listSpaces } from '../queries/spaces.ts'

export const spaceRoutes = (context: WorkflowsContext): Route[] => {
  const { db } = context.kernel
  const describe = async (actor: Actor, id: string) => presentSpace(await getSpace(db, actor, id))
  return [
    route({
      ...endpoints.listSpaces,
      access: 'user',
      summary: 'List spaces by name: those without members, and those you are a member of',
      handle: async ({ actor, query }) => {
        const { items, total } = await listSpaces(db, actor, query)
        return { items: items.map(presentSpace), total }
      },
    }),
    route({
      ...endpoints.createSpace,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Create a space',
      handle: async ({ actor, body, http }) => describe(actor, await createSpace(context, actor, { body, from: http })),
    }),
    route({
      ...endpoints.getSpace,
      access: 'user',
      summary: 'Get a space',
      handle: ({ actor, params }) => describe(actor, params.id),
    }),
    route({
      ...endpoints.changeSpace,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Rename a space or change its members',
      handle: async ({ actor, params, body, http }) => {
        await updateSpace(context, actor, { id: params.id, patch: body, from: http })
        return describe(actor, params.id)
      },
    }),
    route({
      ...endpoints.deleteSpace,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a space; its workflows stay',
      handle: ({ actor, params, http }) => deleteSpace(context, actor, { id: params.id, from: http }),
    }),
  ]
}
