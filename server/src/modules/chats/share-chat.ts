/**
 * Sharing a chat with one's organization: a snapshot under an address of its own. Colleagues of the author see it, as
 * far as the author has any; to everybody else there is no such share.
 */
import type { StoredChat } from '@chancery/contract/chats.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import { announceChange } from './announce.ts'
import type { ChatsContext } from './context.ts'
import { lockChat, updateChatUnscoped } from './queries/chats.ts'
import { listMessagesUnscoped } from './queries/messages.ts'
import { deleteShareUnscoped, findShareUnscoped, type ShareRow, saveShareUnscoped } from './queries/shares.ts'
import { presentStoredChat } from './thread.ts'

export const shareChat = async (context: ChatsContext, actor: Actor, chatId: string): Promise<ShareRow> => {
  const { db, clock, ids } = context
  await context.requireWritable(db, actor)
  const { share, chat } = await db.transaction().execute(async (tx) => {
    const stored = await lockChat(tx, actor, chatId)
    if (!stored) throw new AppError('chat_not_found')
    const messages = await listMessagesUnscoped(tx, chatId)
    const saved = await saveShareUnscoped(tx, {
      id: stored.shareId ?? ids.next(),
      chatId,
      userId: actor.id,
      title: stored.title,
      sharedAt: clock.now(),
      chat: presentStoredChat(stored, messages, messages),
    })
    return { share: saved, chat: await updateChatUnscoped(tx, chatId, { shareId: saved.id }) }
  })
  announceChange(context, chat)
  return share
}

/** What was not shared is not shared afterwards either: safe to repeat. */
export const unshareChat = async (context: ChatsContext, actor: Actor, chatId: string): Promise<void> => {
  const chat = await context.db.transaction().execute(async (tx) => {
    if (!(await lockChat(tx, actor, chatId))) throw new AppError('chat_not_found')
    await deleteShareUnscoped(tx, chatId)
    return updateChatUnscoped(tx, chatId, { shareId: null })
  })
  announceChange(context, chat)
}

export interface SharedView {
  share: ShareRow
  author: string
  chat: StoredChat
}

export const getShare = async (
  { db }: Pick<ChatsContext, 'db'>,
  actor: Actor,
  shareId: string,
): Promise<SharedView> => {
  const share = await findShareUnscoped(db, shareId)
  const author = share && (await findUserByIdUnscoped(db, share.userId))
  const isColleague = author?.organizationId && author.organizationId === actor.organizationId
  if (!author || !(isColleague || author.id === actor.id)) throw new AppError('share_not_found')
  return { share, author: author.name, chat: share.chat as StoredChat }
}
