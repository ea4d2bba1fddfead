/** Prompts, and what a person's new chats start with. */
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { changePrompt, createPrompt, removePrompt } from '../organizing/save-prompt.ts'
import { presentPrompt } from '../present.ts'
import { deleteDefaults, findDefaults, saveDefaults } from '../queries/defaults.ts'
import { listPrompts } from '../queries/prompts.ts'

const maxListed = 2000

export const promptRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.listPrompts,
    access: 'user',
    summary: 'The caller’s prompts and those that colleagues share',
    handle: async ({ actor }) => {
      const { items, total } = await listPrompts(context.db, actor, maxListed)
      return { items: items.map((row) => presentPrompt(row, actor)), total }
    },
  }),
  route({
    ...endpoints.createPrompt,
    access: 'user',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Create a prompt',
    handle: async ({ actor, body }) => presentPrompt(await createPrompt(context, actor, body), actor),
  }),
  route({
    ...endpoints.updatePrompt,
    access: 'user',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Change one of your own prompts',
    handle: async ({ actor, params, body }) =>
      presentPrompt(await changePrompt(context, actor, { promptId: params.promptId, body }), actor),
  }),
  route({
    ...endpoints.deletePrompt,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete one of your own prompts',
    handle: ({ actor, params }) => removePrompt(context, actor, params.promptId),
  }),
  ...defaultsRoutes(context),
]

const defaultsRoutes = ({ db, clock }: ChatsContext): Route[] => [
  route({
    ...endpoints.getChatDefaults,
    access: 'user',
    summary: 'The system prompt and parameters of the caller’s new chats',
    handle: async ({ actor }) => (await findDefaults(db, actor))?.options ?? {},
  }),
  route({
    ...endpoints.setChatDefaults,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Set the system prompt and parameters of your new chats; an empty object clears them',
    handle: async ({ actor, body }) => {
      if (Object.keys(body).length === 0) await deleteDefaults(db, actor)
      else await saveDefaults(db, actor, { options: body, updatedAt: clock.now() })
      return body
    },
  }),
]
