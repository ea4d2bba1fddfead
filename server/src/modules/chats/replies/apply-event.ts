/** Stores what an event says about a message, and shows it to the owner's tabs. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { assertSafeKeys } from '#kernel/json/merge.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { ChatsContext } from '../context.ts'
import type { ChatHead } from '../interface.ts'
import { type ChatRow, lockChatUnscoped, updateChatUnscoped } from '../queries/chats.ts'
import { appended, withRun } from '../queries/event-lists.ts'
import { findMessageIdUnscoped } from '../queries/messages.ts'
import { grownBy, type Rewrite, replacedBy, rewriteMessageUnscoped, withFields } from '../queries/rewrite.ts'
import { maxBytes } from '../tree/history.ts'
import { storableJson } from '../tree/storable.ts'
import { tagNames } from '../writing/chat-fields.ts'
import { imagesIn, namingFiles } from '../writing/message-images.ts'
import { type Effect, type MessageEvent, readEvent } from './message-events.ts'

type Context = Pick<ChatsContext, 'db' | 'clock' | 'files' | 'realtime' | 'outsideTextHandlers'>

interface Request {
  messageId: string
  event: MessageEvent
  /** Sent through the REST endpoint, where fewer kinds are allowed. */
  isOutside: boolean
}

export const applyEvent = async (
  context: Context,
  chat: Pick<ChatHead, 'id' | 'userId'>,
  { messageId: sentId, event, isOutside }: Request,
): Promise<void> => {
  // Unfit data of a client is refused; that of a plugin is cleaned, like a model's.
  if (isOutside) assertSafeKeys(event.data)
  const sent = isOutside ? event : { type: event.type, data: storableJson(event.data) }
  const { effect, event: shown } = readEvent(sent, { isOutside })
  // The path may spell the id differently from the message.
  const messageId = await findMessageIdUnscoped(context.db, chat.id, sentId)
  if (messageId === undefined) throw new AppError('message_not_found')
  if (isOutside && effect.kind === 'append-content') {
    if (context.outsideTextHandlers.some((take) => take({ chatId: chat.id, messageId }, effect.text))) return
  }
  const named = await store(context, { chat, messageId, effect })
  if (!named) return
  const data = isFiles(named) ? { ...(shown.data as object), files: named.items } : shown.data
  context.realtime.emit(chat.userId, { chat_id: chat.id, message_id: messageId, data: { ...shown, data } })
}

type Appending = Extract<Effect, { kind: 'append' }>

const isFiles = (effect: Effect): effect is Appending => effect.kind === 'append' && effect.field === 'files'

interface Storing {
  chat: Pick<ChatHead, 'id' | 'userId'>
  messageId: string
  effect: Effect
}

/**
 * Returns what was stored, with images by their files. Undefined, and nothing is stored, for a title or tags where the
 * chat has a person's own.
 */
const store = async (context: Context, { chat, messageId, effect }: Storing): Promise<Effect | undefined> => {
  if (effect.kind === 'none') return effect
  const request = { chatId: chat.id, messageId }
  const images = isFiles(effect) ? [...imagesIn([effect.items])] : []
  if (!isFiles(effect) || images.length === 0)
    return context.db.transaction().execute((tx) => storeIn(context, tx, { ...request, effect }))
  const { organizationId = null } = (await findUserByIdUnscoped(context.db, chat.userId)) ?? {}
  return context.files.storeImages({ kind: 'user', id: chat.userId, organizationId }, images, (tx, stored) => {
    const items = namingFiles(effect.items, stored) as unknown[]
    return storeIn(context, tx, { ...request, effect: { ...effect, items } })
  })
}

const storeIn = async (
  { clock }: Pick<Context, 'clock'>,
  tx: Db,
  { chatId, messageId, effect }: { chatId: string; messageId: string; effect: Effect },
): Promise<Effect | undefined> => {
  const chat = await lockChatUnscoped(tx, chatId)
  if (!chat) throw new AppError('chat_not_found')
  if ((effect.kind === 'title' && chat.hasOwnTitle) || (effect.kind === 'tags' && chat.hasOwnTags)) return undefined
  const grownBytes = await rewriteMessageUnscoped(tx, { chatId, messageId }, rewriteOf(effect))
  if (grownBytes === undefined) throw new AppError('message_not_found')
  const fields = fieldsOf(effect)
  const { byteSize } = await updateChatUnscoped(tx, chatId, { ...fields, grownBytes, updatedAt: clock.now() })
  if (grownBytes > 0 && byteSize > maxBytes) throw new AppError('chat_too_large')
  return effect
}

/** A plugin's title and tags count as generated: a person's own replaces them. */
const fieldsOf = (effect: Effect): Partial<Pick<ChatRow, 'title' | 'tags'>> => {
  if (effect.kind === 'title') return { title: effect.title.slice(0, 500) }
  if (effect.kind === 'tags') return { tags: tagNames(effect.tags) }
  return {}
}

const rewriteOf = (effect: Effect): Rewrite => {
  switch (effect.kind) {
    case 'append-content':
      return { content: grownBy(effect.text) }
    case 'replace-content':
      return { content: replacedBy(effect.text) }
    case 'append':
      return { body: appended(effect.field, effect.items) }
    case 'set':
      return { body: withFields({ [effect.field]: effect.value }) }
    case 'put-run':
      return { body: withRun(effect.id, effect.run) }
    default:
      return {}
  }
}
