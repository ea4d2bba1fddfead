/** Spaces: named contexts that workflows and their runs stand in. */
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
      summary: 'Spaces, by name: those of everybody, and those one is a member of',
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
      summary: 'Make a space',
      body: SpaceBody,
      reply: Space,
      status: 201,
      handle: async ({ actor, body, http }) => describe(actor, await createSpace(context, actor, { body, from: http })),
    }),
    route({
      method: 'GET',
      path: `${base}/:id`,
      access: 'user',
      summary: 'One space',
      reply: Space,
      handle: ({ actor, params }) => describe(actor, params.id),
    }),
    route({
      method: 'PATCH',
      path: `${base}/:id`,
      access: 'user',
      summary: 'Rename a space, or say who its members are',
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
      summary: 'Remove a space; workflows that were in it stay',
      handle: ({ actor, params, http }) => deleteSpace(context, actor, { id: params.id, from: http }),
    }),
  ]
}
