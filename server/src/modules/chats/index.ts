/** Chats: conversations as trees of messages. The module's public interface. */
import './tables.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Files } from '#modules/files/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { ChatsContext } from './context.ts'
import type { Chats } from './interface.ts'
import { searchMessages } from './queries/search.ts'
import { getChat, getMessage, getThread, headOf } from './reading/read-chat.ts'
import { applyEvent } from './replies/apply-event.ts'
import { createMessageFields } from './replies/message-fields.ts'
import { createReplies } from './replies/replies.ts'
import { chatRoutes } from './routes/chats.ts'
import { messageRoutes } from './routes/messages.ts'
import { organizeRoutes } from './routes/organize.ts'
import { promptRoutes } from './routes/prompts.ts'
import { publicShareRoutes } from './routes/public-shares.ts'
import { ratingRoutes } from './routes/ratings.ts'
import { copyRoutes, shareRoutes } from './routes/shares.ts'
import { readSearch } from './search/search-words.ts'
import { handOverChats } from './writing/hand-over-chats.ts'

export type { ChatHead, Chats, MessageRef, ReplyPatch, SearchHit } from './interface.ts'
export { addedText } from './replies/message-events.ts'

export interface ChatsNeeds {
  kernel: Kernel
  accounts: Pick<Accounts, 'registerDeletionHandler'>
  files: Files
  organizations: Organizations
  realtime: Realtime
}

export const createChats = ({ kernel, accounts, files, organizations, realtime }: ChatsNeeds): Chats => {
  const { audit, blobs, config, db, clock, ids, externalUrl } = kernel
  const context: ChatsContext = {
    config,
    db,
    search: kernel.search,
    clock,
    ids,
    audit,
    blobs,
    files,
    organizations,
    externalUrl,
    realtime,
    deleteListeners: [],
    outsideTextHandlers: [],
    requireWritable: organizations.requireWritable,
  }
  accounts.registerDeletionHandler(handOverChats(context))
  return {
    requireChat: async (actor, chatId) => headOf(await getChat(db, actor, chatId)),
    requireMessage: (actor, ref) => getMessage(db, actor, ref),
    readThread: (actor, ref) => getThread(db, actor, ref),
    ...createReplies(context),
    ...createMessageFields(context),
    applyEvent: (chat, messageId, event) => applyEvent(context, chat, { messageId, event, isOutside: false }),
    search: (actor, text, limit) =>
      kernel.search(actor, (tx) => searchMessages(tx, actor, { words: readSearch(text), limit })),
    onOutsideText: (handler) => void context.outsideTextHandlers.push(handler),
    onDelete: (listener) => void context.deleteListeners.push(listener),
    routes: [
      ...chatRoutes(context),
      ...organizeRoutes(context),
      ...shareRoutes(context),
      ...publicShareRoutes(context),
      ...copyRoutes(context),
      ...messageRoutes(context),
      ...promptRoutes(context),
      ...ratingRoutes(context),
    ],
  }
}
