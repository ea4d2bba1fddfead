/** Takes chats that were exported, here or from a product with the same format. All of them, or none. */
import type { ChatPatch, ImportBody } from '@chancery/contract/chats.ts'
import type { z } from 'zod'
import type { Actor } from '#kernel/http/actor.ts'
import { announceChange } from './announce.ts'
import { currentIdIn, messagesIn } from './chat-fields.ts'
import type { ChatsContext } from './context.ts'
import { insertNewChat } from './create-chat.ts'
import type { ChatRow } from './queries/chats.ts'

type Imported = z.output<typeof ImportBody>['chats'][number]

export const importChats = async (
  context: ChatsContext,
  actor: Actor,
  records: readonly Imported[],
): Promise<string[]> => {
  await context.requireWritable(context.db, actor)
  const chats = await context.db.transaction().execute(async (tx) => {
    const made: ChatRow[] = []
    for (const record of records) made.push(await insertNewChat(context, tx, { actor, request: newChatOf(record) }))
    return made
  })
  for (const chat of chats) announceChange(context, chat)
  return chats.map(({ id }) => id)
}

const newChatOf = ({ title, chat, pinned = false, archived = false, meta, ...times }: Imported) => ({
  chat: withWholeLinks({
    ...chat,
    ...(title === undefined ? {} : { title }),
    ...(meta?.tags === undefined ? {} : { tags: meta.tags }),
  }),
  pinned,
  archived,
  ...(times.created_at === undefined ? {} : { createdAt: new Date(times.created_at * 1000) }),
  ...(times.updated_at === undefined ? {} : { updatedAt: new Date(times.updated_at * 1000) }),
})

/** Old exports name messages that were deleted long ago. Such a link is dropped, not the chat. */
const withWholeLinks = (chat: ChatPatch): ChatPatch => {
  const sent = messagesIn(chat)
  const messages = [...sent].map(([id, message]) => {
    const isLost = message.parentId !== undefined && message.parentId !== null && !sent.has(message.parentId)
    return [id, isLost ? { ...message, parentId: null } : message]
  })
  const currentId = currentIdIn(chat)
  const known = currentId && sent.has(currentId) ? { currentId } : {}
  const { currentId: _, ...rest } = chat
  return { ...rest, history: { ...known, messages: Object.fromEntries(messages) } }
}
