/** Spaces: named contexts that workflows and their runs belong to. */
import { Space, SpaceBody, SpaceList, SpacePatch } from '@chancery/contract/catalogs.ts'
import { PageQuery } from '@chancery/contract/lists.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { getSpace } from '../catalogs/get-space.ts'
import { createSpace, deleteSpace, updateSpace } from '../catalogs/save-space.ts'
import type { WorkflowsContext } from '../context.ts'
import { presentSpace } from '../present.ts'
import { listSpaces } from '../queries/spaces.ts'

const base = '/api/v1/spaces'

export const spaceRoutes = (context: WorkflowsContext): Route[] => {
  const { db } = context.kernel
  const describe = async (actor: Actor, id: string) => presentSpace(await getSpace(db, actor, id))
  return [
    route({
      method: 'GET',
      path: base,
      access: 'user',
      summary: 'List spaces by name: those without members, and those you are a member of',
      query: PageQuery,
      reply: SpaceList,
      handle: async ({ actor, query }) => {
        const { items, total } = await listSpaces(db, actor, query)
        return { items: items.map(presentSpace), total }
      },
    }),
    route({
      method: 'POST',
      path: base,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Create a space',
      body: SpaceBody,
      reply: Space,
      status: 201,
      handle: async ({ actor, body, http }) => describe(actor, await createSpace(context, actor, { body, from: http })),
    }),
    route({
      method: 'GET',
      path: `${base}/:id`,
      access: 'user',
      summary: 'Get a space',
      reply: Space,
      handle: ({ actor, params }) => describe(actor, params.id),
    }),
    route({
      method: 'PATCH',
      path: `${base}/:id`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Rename a space or change its members',
      body: SpacePatch,
      reply: Space,
      handle: async ({ actor, params, body, http }) => {
        await updateSpace(context, actor, { id: params.id, patch: body, from: http })
        return describe(actor, params.id)
      },
    }),
    route({
      method: 'DELETE',
      path: `${base}/:id`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a space; its workflows stay',
      handle: ({ actor, params, http }) => deleteSpace(context, actor, { id: params.id, from: http }),
    }),
  ]
}
