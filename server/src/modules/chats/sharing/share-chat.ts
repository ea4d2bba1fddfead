/**
 * Shares a chat with the author's organization: a snapshot of the thread that is shown, under an address of its own.
 * Other branches, such as a text that was edited away, are not in it. To people outside the organization it does not exist.
 */
import type { StoredChat } from '@chancery/contract/chats/chats.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { ChatsContext } from '../context.ts'
import { type ChatRow, lockChat, updateChatUnscoped } from '../queries/chats.ts'
import { listThreadUnscoped } from '../queries/messages.ts'
import {
  deleteShareUnscoped,
  findShareUnscoped,
  readSnapshotUnscoped,
  type ShareRow,
  saveShareUnscoped,
} from '../queries/shares.ts'
import { presentStoredChat, threadTo } from '../reading/thread.ts'
import { announceChange } from '../writing/announce.ts'
import { publicTokenOf, sharedFileIdsOf } from './public-view.ts'

interface Sharing {
  chatId: string
  from: Origin
}

interface Snapshot extends Sharing {
  /** The share to update. Without it, the chat is shared if it isn't. */
  shareId: string | undefined
}

export const shareChat = async (
  context: ChatsContext,
  actor: Actor,
  { chatId, shareId, from }: Snapshot,
): Promise<ShareRow> => {
  const { db, clock, ids } = context
  await context.requireWritable(db, actor)
  const { share, chat } = await db.transaction().execute(async (tx) => {
    const stored = await lockChat(tx, actor, chatId)
    if (!stored) throw new AppError('chat_not_found')
    if (shareId !== undefined && shareId !== stored.shareId) throw new AppError('share_not_found')
    const messages = stored.currentId === null ? [] : await listThreadUnscoped(tx, chatId, stored.currentId)
    const snapshot = presentStoredChat(stored, messages, messages)
    const saved = await saveShareUnscoped(tx, {
      id: stored.shareId ?? ids.next(),
      chatId,
      userId: actor.id,
      title: stored.title,
      sharedAt: clock.now(),
      chat: snapshot,
      fileIds: sharedFileIdsOf(sharedThread(snapshot)),
    })
    if (publicTokenOf(saved, actor) !== null)
      await recordLink(context, tx, { action: 'chat.publish', actor, chat: stored, from, detail: { updated: true } })
    return { share: saved, chat: await updateChatUnscoped(tx, chatId, { shareId: saved.id }) }
  })
  announceChange(context, chat)
  return share
}

/** Closes the public link too. Safe to repeat. */
export const unshareChat = async (context: ChatsContext, actor: Actor, { chatId, from }: Sharing): Promise<void> => {
  const chat = await context.db.transaction().execute(async (tx) => {
    const stored = await lockChat(tx, actor, chatId)
    if (!stored) throw new AppError('chat_not_found')
    const share = await deleteShareUnscoped(tx, chatId)
    if (share && share.publicToken !== null)
      await recordLink(context, tx, { action: 'chat.unpublish', actor, chat: stored, from })
    return updateChatUnscoped(tx, chatId, { shareId: null })
  })
  announceChange(context, chat)
}

interface LinkAction {
  action: 'chat.publish' | 'chat.unpublish'
  actor: Actor
  chat: Pick<ChatRow, 'id' | 'title'>
  from: Origin
  detail?: Record<string, unknown>
}

/** The title is in the entry, since administrators can't open the chat. The link's secret is not. */
export const recordLink = (
  { audit }: Pick<ChatsContext, 'audit'>,
  tx: Db,
  { action, actor, chat, from, detail }: LinkAction,
): Promise<void> =>
  audit.record(tx, {
    action,
    by: actor,
    from,
    target: { kind: 'chat', id: chat.id },
    detail: { title: chat.title, ...detail },
  })

/** A share that the reader may see. */
export interface ReadableShare {
  share: ShareRow
  author: string
}

export interface SharedView extends ReadableShare {
  chat: StoredChat
}

export const findReadableShare = async (
  { db }: Pick<ChatsContext, 'db'>,
  actor: Actor,
  shareId: string,
): Promise<ReadableShare> => {
  const share = await findShareUnscoped(db, shareId)
  const author = share && (await findUserByIdUnscoped(db, share.userId))
  const isColleague = author?.organizationId && author.organizationId === actor.organizationId
  if (!author || !(isColleague || author.id === actor.id)) throw new AppError('share_not_found')
  return { share, author: author.name }
}

export const getShare = async (context: Pick<ChatsContext, 'db'>, actor: Actor, shareId: string): Promise<SharedView> =>
  withSnapshot(context.db, await findReadableShare(context, actor, shareId))

export const withSnapshot = async (db: Db, readable: ReadableShare): Promise<SharedView> => {
  const snapshot = await readSnapshotUnscoped(db, readable.share.id)
  if (!snapshot) throw new AppError('share_not_found')
  return { ...readable, chat: sharedThread(snapshot as StoredChat) }
}

/** The thread alone, also of older snapshots, which hold every branch. */
const sharedThread = (chat: StoredChat): StoredChat => {
  const { currentId } = chat.history
  const thread = threadTo(new Map(Object.entries(chat.history.messages)), currentId)
  const shown = thread.map((message, index) => {
    const next = thread[index + 1]
    return { ...message, childrenIds: next ? [next.id] : [] }
  })
  const messages = Object.fromEntries(shown.map((message) => [message.id, message]))
  return { ...chat, messages: shown, history: { currentId, messages } }
}
