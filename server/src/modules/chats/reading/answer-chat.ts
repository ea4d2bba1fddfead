/**
 * Answers a chat as JSON, or 304 when the client has its current version. The JSON is written by hand: a schema that
 * copies thousands of messages would cost more than reading them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Chat } from '@chancery/contract/chats/chats.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RawReply, WriteBody } from '#kernel/http/replies/raw-reply.ts'
import type { ChatsContext } from '../context.ts'
import { presentChat } from '../present.ts'
import type { ChatRow } from '../queries/chats.ts'
import {
  findMessageUnscoped,
  listChildLinksUnscoped,
  listLinksUnscoped,
  listMessageTextsUnscoped,
  listTextsAmongUnscoped,
  listThreadTextsUnscoped,
  listWindowTextsUnscoped,
} from '../queries/messages.ts'
import { chatPieces, chatText, messageText } from './chat-text.ts'
import { getChat } from './read-chat.ts'
import { childrenOf } from './thread.ts'

/** The end of the current thread: so many messages, before one of them. */
interface Window {
  last: number
  before: string | undefined
}

interface Request {
  chatId: string
  /** Only the thread that ends at the current message. */
  isActiveOnly: boolean
  window: Window | undefined
  /** The `If-None-Match` header. */
  known: string | undefined
}

type Deps = Pick<ChatsContext, 'db'>

export const answerChat = async (
  { db }: Deps,
  actor: Actor,
  { chatId, isActiveOnly, window, known }: Request,
): Promise<RawReply> => {
  // The version is read before the messages: at worst the client asks once more, and it never misses a change.
  const chat = await getChat(db, actor, chatId)
  const shown = window ? `-${window.last}-${window.before ?? ''}` : isActiveOnly ? '-active' : ''
  const etag = `W/"${chat.version}${shown}"`
  if (known?.split(',').some((tag) => tag.trim() === etag)) return { status: 304, headers: { etag }, body: '' }
  const head = presentChat(chat, [])
  const isShort = window !== undefined && window.before === undefined && chat.messageCount <= window.last
  const body =
    isActiveOnly && !isShort ? await activeThread({ db }, { chat, head, window }) : await wholeChat({ db }, chat, head)
  return { headers: { etag, 'content-type': 'application/json; charset=utf-8' }, body }
}

/** More messages than this are read and written in portions: other requests have their turns between. */
const perPortion = 500

const wholeChat = async ({ db }: Deps, chat: ChatRow, head: Chat): Promise<string | WriteBody> => {
  if (chat.messageCount <= perPortion) return chatText(head, await listMessageTextsUnscoped(db, chat.id))
  const links = await listLinksUnscoped(db, chat.id)
  const children = childrenOf(links)
  const texts = new Map<string, string>()
  for (let at = 0; at < links.length; at += perPortion) {
    const ids = links.slice(at, at + perPortion).map(({ id }) => id)
    for (const row of await listTextsAmongUnscoped(db, chat.id, ids))
      texts.set(row.id, messageText(row, children.get(row.id) ?? []))
  }
  return async (outlet) => {
    for (const piece of chatPieces(head, texts, links)) {
      if (!outlet.write(piece)) await outlet.drained()
      await nextTurn()
    }
  }
}

interface Shown {
  chat: ChatRow
  head: Chat
  window: Window | undefined
}

/** `childrenIds` still name the branches that are left out, so that the client can offer them. */
const activeThread = async ({ db }: Deps, { chat, head, window }: Shown): Promise<string> => {
  const endId = window?.before === undefined ? chat.currentId : await parentOf({ db }, chat.id, window.before)
  const list = (id: string) =>
    window
      ? listWindowTextsUnscoped(db, chat.id, { endId: id, last: window.last })
      : listThreadTextsUnscoped(db, chat.id, id)
  const thread = endId === null ? [] : await list(endId)
  const ids = thread.map(({ id }) => id)
  return chatText(head, thread, await listChildLinksUnscoped(db, chat.id, ids))
}

const parentOf = async ({ db }: Deps, chatId: string, messageId: string): Promise<string | null> => {
  const message = await findMessageUnscoped(db, chatId, messageId)
  if (!message) throw new AppError('message_not_found')
  return message.parentId
}
