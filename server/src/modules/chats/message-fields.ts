/** Small changes the server makes by itself: follow-ups, a title, tags. Each is announced to the owner's tabs. */
import type { Db } from '#kernel/db/database.ts'
import { announceChange } from './announce.ts'
import { tagNames } from './chat-fields.ts'
import type { ChatsContext } from './context.ts'
import type { Chats } from './face.ts'
import { type ChatRow, lockChatUnscoped, updateChatUnscoped } from './queries/chats.ts'
import { findMessageUnscoped, listChildLinksUnscoped } from './queries/messages.ts'
import { rewriteMessageUnscoped, withFields } from './queries/rewrite.ts'
import { storableJson, storableText } from './storable.ts'

type Context = Pick<ChatsContext, 'db' | 'clock' | 'realtime'>

/** A chat that is gone meanwhile is nothing to complain about: whoever deleted it knows. */
const change = async (
  context: Context,
  chatId: string,
  work: (tx: Db) => Promise<Parameters<typeof updateChatUnscoped>[2]>,
): Promise<ChatRow | undefined> =>
  context.db.transaction().execute(async (tx) => {
    if (!(await lockChatUnscoped(tx, chatId))) return undefined
    return updateChatUnscoped(tx, chatId, { ...(await work(tx)), updatedAt: context.clock.now() })
  })

export const createMessageFields = (context: Context): Pick<Chats, 'patchMessage' | 'setTitle' | 'setTags'> => ({
  patchMessage: async (ref, fields) => {
    const chat = await change(context, ref.chatId, async (tx) => {
      const body = withFields(storableJson(fields))
      return { grownBytes: (await rewriteMessageUnscoped(tx, ref, { body })) ?? 0 }
    })
    const message = chat && (await findMessageUnscoped(context.db, ref.chatId, ref.messageId))
    if (!message) return
    const links = await listChildLinksUnscoped(context.db, ref.chatId, [ref.messageId])
    announceChange(context, chat, { messages: [message], links })
  },

  setTitle: async (chatId, title) => {
    const chat = await change(context, chatId, async () => ({ title: storableText(title).slice(0, 500) }))
    if (chat) announceChange(context, chat)
  },

  setTags: async (chatId, tags) => {
    const chat = await change(context, chatId, async () => ({ tags: tagNames(tags.map(storableText)) }))
    if (chat) announceChange(context, chat)
  },
})
