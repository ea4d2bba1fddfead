/** Prompts, and what a person's new chats start with. */
import { ChatOptions } from '@chancery/contract/chats.ts'
import { Prompt, PromptBody, PromptList } from '@chancery/contract/prompts.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { changePrompt, createPrompt, removePrompt } from '../organizing/save-prompt.ts'
import { presentPrompt } from '../present.ts'
import { deleteDefaults, findDefaults, saveDefaults } from '../queries/defaults.ts'
import { listPrompts } from '../queries/prompts.ts'

const prompts = '/api/v1/prompts'
const defaults = '/api/v1/chats/defaults'
const maxListed = 2000

export const promptRoutes = (context: ChatsContext): Route[] => [
  route({
    method: 'GET',
    path: prompts,
    access: 'user',
    summary: 'The caller’s prompts and those that colleagues share',
    reply: PromptList,
    handle: async ({ actor }) => {
      const { items, total } = await listPrompts(context.db, actor, maxListed)
      return { items: items.map((row) => presentPrompt(row, actor)), total }
    },
  }),
  route({
    method: 'POST',
    path: prompts,
    access: 'user',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Create a prompt',
    body: PromptBody,
    reply: Prompt,
    status: 201,
    handle: async ({ actor, body }) => presentPrompt(await createPrompt(context, actor, body), actor),
  }),
  route({
    method: 'PUT',
    path: `${prompts}/:promptId`,
    access: 'user',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Change one of your own prompts',
    body: PromptBody,
    reply: Prompt,
    handle: async ({ actor, params, body }) =>
      presentPrompt(await changePrompt(context, actor, { promptId: params.promptId, body }), actor),
  }),
  route({
    method: 'DELETE',
    path: `${prompts}/:promptId`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete one of your own prompts',
    handle: ({ actor, params }) => removePrompt(context, actor, params.promptId),
  }),
  ...defaultsRoutes(context),
]

const defaultsRoutes = ({ db, clock }: ChatsContext): Route[] => [
  route({
    method: 'GET',
    path: defaults,
    access: 'user',
    summary: 'The system prompt and parameters of the caller’s new chats',
    reply: ChatOptions,
    handle: async ({ actor }) => (await findDefaults(db, actor))?.options ?? {},
  }),
  route({
    method: 'PUT',
    path: defaults,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Set the system prompt and parameters of your new chats; an empty object clears them',
    body: ChatOptions,
    reply: ChatOptions,
    handle: async ({ actor, body }) => {
      if (Object.keys(body).length === 0) await deleteDefaults(db, actor)
      else await saveDefaults(db, actor, { options: body, updatedAt: clock.now() })
      return body
    },
  }),
]
