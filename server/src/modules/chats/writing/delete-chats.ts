/** Deletes one chat, or all of a person's. Running replies in them are stopped first. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import { deleteChats, listChatIds } from '../queries/lists.ts'
import { getChat } from '../reading/read-chat.ts'
import { announceDeletion } from './announce.ts'

type Context = Pick<ChatsContext, 'db' | 'clock' | 'realtime' | 'deleteListeners'>

export const deleteChat = async (context: Context, actor: Actor, chatId: string): Promise<void> => {
  await getChat(context.db, actor, chatId)
  const deleted = await removeAll(context, actor, [chatId])
  if (deleted === 0) throw new AppError('chat_not_found')
}

export const deleteAllChats = async (context: Context, actor: Actor): Promise<number> =>
  removeAll(context, actor, await listChatIds(context.db, actor))

const removeAll = async (context: Context, actor: Actor, ids: readonly string[]): Promise<number> => {
  for (const listen of context.deleteListeners) listen(ids)
  const deleted = await deleteChats(context.db, actor, ids)
  for (const id of deleted) announceDeletion(context, { id, userId: actor.id })
  return deleted.length
}
