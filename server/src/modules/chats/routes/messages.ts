/** One message of a chat: deleting it, and the events that external tools post to it. */

import { can } from '@chancery/contract/abilities.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { findChat, findChatUnscoped } from '../queries/chats.ts'
import { applyEvent } from '../replies/apply-event.ts'
import { deleteMessage } from '../writing/delete-message.ts'

/** The contract lets administrators in too: those of the platform, since an organization's have no claim on chats. */
const chatFor = (db: ChatsContext['db'], actor: Actor, chatId: string) =>
  can(actor, 'add-to-any-chat') ? findChatUnscoped(db, chatId) : findChat(db, actor, chatId)

export const messageRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.deleteMessage,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a message; its children move to its parent',
    handle: ({ actor, params }) => deleteMessage(context, actor, params),
  }),
  route({
    ...endpoints.sendMessageEvent,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Add to a message from a tool: status, text, files, embeds, sources, notifications',
    reply: z.literal(true),
    handle: async ({ actor, params, body }) => {
      const chat = await chatFor(context.db, actor, params.chatId)
      if (!chat) throw new AppError('chat_not_found')
      await applyEvent(context, chat, { messageId: params.messageId, event: body, isOutside: true })
      return true as const
    },
  }),
]
