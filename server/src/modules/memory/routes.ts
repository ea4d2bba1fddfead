/** `/api/v1/memories`: a person's own facts, and the switch. */

import type { Memory } from '@chancery/contract/chats/memories.ts'
import * as endpoints from '@chancery/contract/endpoints/memory.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import {
  deleteMemories,
  deleteMemory,
  isMemoryOn,
  listMemories,
  type MemoryRow,
  switchMemory,
  updateMemory,
} from './queries.ts'
import { type MemoryContext, remember } from './remember.ts'

const present = ({ userId: _userId, createdAt, updatedAt, ...row }: MemoryRow): z.input<typeof Memory> => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

export const memoryRoutes = (context: MemoryContext): Route[] => {
  const { clock, db } = context
  const list = async (actor: Actor) => {
    const items = (await listMemories(db, actor)).map(present)
    return { items, total: items.length, enabled: await isMemoryOn(db, actor) }
  }
  return [
    route({
      ...endpoints.listMemories,
      access: 'user',
      summary: 'What is remembered about the caller, newest first',
      handle: async ({ actor }) => list(actor),
    }),
    route({
      ...endpoints.addMemory,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Write a fact down',
      handle: async ({ actor, body }) => present(await remember(context, actor, { ...body, source: 'person' })),
    }),
    route({
      ...endpoints.setMemorySettings,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Switch memory on or off; what is there is kept',
      handle: async ({ actor, body }) => {
        await switchMemory(db, actor, body.enabled)
        return list(actor)
      },
    }),
    route({
      ...endpoints.changeMemory,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change a fact',
      handle: async ({ actor, params, body }) => {
        const change = { id: params.id, content: body.content, at: clock.now() }
        return db.transaction().execute(async (tx) => {
          const changed = await updateMemory(tx, actor, change)
          if (!changed) throw new AppError('memory_not_found')
          return present(changed)
        })
      },
    }),
    route({
      ...endpoints.forgetMemory,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Forget a fact',
      handle: async ({ actor, params }) => {
        if (!(await deleteMemory(db, actor, params.id))) throw new AppError('memory_not_found')
      },
    }),
    route({
      ...endpoints.forgetEverything,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Forget everything',
      handle: async ({ actor }) => deleteMemories(db, actor),
    }),
  ]
}
