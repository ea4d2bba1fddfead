/** `/api/v1/memories`: a person's own facts, and the switch. */
import { Memory, MemoryBody, MemoryList, MemorySettingsBody } from '@chancery/contract/memories.ts'
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

const base = '/api/v1/memories'

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
      method: 'GET',
      path: base,
      access: 'user',
      summary: 'What is remembered about the caller, newest first',
      reply: MemoryList,
      handle: async ({ actor }) => list(actor),
    }),
    route({
      method: 'POST',
      path: base,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Write a fact down',
      status: 201,
      body: MemoryBody,
      reply: Memory,
      handle: async ({ actor, body }) => present(await remember(context, actor, { ...body, source: 'person' })),
    }),
    route({
      method: 'PUT',
      path: `${base}/settings`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Switch memory on or off; what is there is kept',
      body: MemorySettingsBody,
      reply: MemoryList,
      handle: async ({ actor, body }) => {
        await switchMemory(db, actor, body.enabled)
        return list(actor)
      },
    }),
    route({
      method: 'PATCH',
      path: `${base}/:id`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change a fact',
      body: MemoryBody,
      reply: Memory,
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
      method: 'DELETE',
      path: `${base}/:id`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Forget a fact',
      handle: async ({ actor, params }) => {
        if (!(await deleteMemory(db, actor, params.id))) throw new AppError('memory_not_found')
      },
    }),
    route({
      method: 'DELETE',
      path: base,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Forget everything',
      handle: async ({ actor }) => deleteMemories(db, actor),
    }),
  ]
}
