/** Changes the server makes by itself: follow-ups, a generated title, tags. Each is announced to the owner's tabs. */
import type { Db } from '#kernel/db/database.ts'
import type { ChatsContext } from '../context.ts'
import type { Chats } from '../interface.ts'
import { type ChatRow, lockChatUnscoped, updateChatUnscoped } from '../queries/chats.ts'
import { findMessageUnscoped, listChildLinksUnscoped } from '../queries/messages.ts'
import { rewriteMessageUnscoped, withFields } from '../queries/rewrite.ts'
import { storableJson, storableText } from '../tree/storable.ts'
import { announceChange } from '../writing/announce.ts'
import { tagNames } from '../writing/chat-fields.ts'

type Context = Pick<ChatsContext, 'db' | 'clock' | 'realtime'>

/** Undefined where nothing is to be changed, or the chat was deleted meanwhile. */
const change = async (
  context: Context,
  chatId: string,
  work: (tx: Db, chat: ChatRow) => Promise<Parameters<typeof updateChatUnscoped>[2] | undefined>,
): Promise<ChatRow | undefined> =>
  context.db.transaction().execute(async (tx) => {
    const chat = await lockChatUnscoped(tx, chatId)
    const fields = chat && (await work(tx, chat))
    return fields && updateChatUnscoped(tx, chatId, { ...fields, updatedAt: context.clock.now() })
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

  setTitle: (chatId, title) =>
    generate(context, chatId, ({ hasOwnTitle }) =>
      hasOwnTitle ? undefined : { title: storableText(title).slice(0, 500) },
    ),

  setTags: (chatId, tags) =>
    generate(context, chatId, ({ hasOwnTags }) =>
      hasOwnTags ? undefined : { tags: tagNames(tags.map(storableText)) },
    ),
})

/** False where a person's choice stands, or the chat is gone. */
const generate = async (
  context: Context,
  chatId: string,
  changeOf: (chat: ChatRow) => Partial<Pick<ChatRow, 'title' | 'tags'>> | undefined,
): Promise<boolean> => {
  const chat = await change(context, chatId, async (_tx, stored) => changeOf(stored))
  if (chat) announceChange(context, chat)
  return chat !== undefined
}
