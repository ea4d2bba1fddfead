/** Tells the owner's tabs what was written, as `chat:changed`. */
import type { ChatChanged } from '@chancery/contract/chats/events.ts'
import type { z } from 'zod'
import { unixSeconds } from '#kernel/clock.ts'
import type { ChatsContext } from '../context.ts'
import type { ChatRow } from '../queries/chats.ts'
import type { MessageRow } from '../queries/messages.ts'
import { childrenOf, presentMessage } from '../reading/thread.ts'

/** Beyond this the messages are only named, and tabs read them. */
const maxBytesInEvent = 64_000

interface Written {
  messages?: readonly MessageRow[]
  /** The parents of messages, at least for the children of these. */
  links?: readonly Pick<MessageRow, 'id' | 'parentId'>[]
  /** Messages that tabs must not keep as they have them. */
  removedIds?: readonly string[]
}

export const announceChange = (
  { realtime }: Pick<ChatsContext, 'realtime'>,
  chat: Pick<ChatRow, 'id' | 'userId' | 'title' | 'currentId' | 'updatedAt'>,
  { messages = [], links = [], removedIds = [] }: Written = {},
): void => {
  if (!realtime.isListening(chat.userId)) return
  const isSmall = messages.reduce((bytes, { size }) => bytes + size, 0) <= maxBytesInEvent
  const children = childrenOf(links)
  const shown = messages.map((row) => [row.id, presentMessage(row, children.get(row.id) ?? [])])
  send(realtime, chat, {
    current_id: chat.currentId,
    updated_at: unixSeconds(chat.updatedAt),
    title: chat.title,
    ...(isSmall ? { messages: Object.fromEntries(shown) } : {}),
    message_ids: [...messages.map(({ id }) => id), ...removedIds],
  })
}

export const announceDeletion = (
  { realtime, clock }: Pick<ChatsContext, 'realtime' | 'clock'>,
  chat: Pick<ChatRow, 'id' | 'userId'>,
): void =>
  send(realtime, chat, { current_id: null, updated_at: unixSeconds(clock.now()), message_ids: [], deleted: true })

const send = (
  realtime: ChatsContext['realtime'],
  chat: Pick<ChatRow, 'id' | 'userId'>,
  change: z.infer<typeof ChatChanged>,
): void =>
  realtime.emit(chat.userId, { chat_id: chat.id, message_id: null, data: { type: 'chat:changed', data: change } })
