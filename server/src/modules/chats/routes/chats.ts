/** Starting, reading, writing and deleting chats. */
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { presentChat, presentListItem, presentSearch } from '../present.ts'
import { listChats } from '../queries/lists.ts'
import { listMessagesUnscoped } from '../queries/messages.ts'
import { searchChats } from '../queries/search.ts'
import { answerChat } from '../reading/answer-chat.ts'
import { readSearch } from '../search/search-words.ts'
import { maxChatParts } from '../tree/history.ts'
import { createChat } from '../writing/create-chat.ts'
import { deleteAllChats, deleteChat } from '../writing/delete-chats.ts'
import { mergeChat } from '../writing/merge-chat.ts'

/** Enough for the largest chat, sent whole. */
const maxBodyBytes = 9 * 1024 * 1024
const maxBodyParts = maxChatParts

const base = '/api/v1/chats'
/** The contract's list path ends in a slash; clients also send it without. */
const withAndWithoutSlash = (make: (path: '/api/v1/chats' | '/api/v1/chats/') => Route): Route[] => [
  make(base),
  make(`${base}/`),
]

const listRoutes = ({ db }: ChatsContext): Route[] =>
  withAndWithoutSlash((path) =>
    route({
      ...endpoints.listChats,
      path,
      access: 'user',
      summary: 'The caller’s chats, newest first',
      handle: async ({ actor, query: { folder_id, ...query } }) => {
        const { items, total } = await listChats(db, actor, { ...query, folderId: folder_id })
        return { items: items.map(presentListItem), total }
      },
    }),
  )

const deleteAllRoutes = (context: ChatsContext): Route[] =>
  withAndWithoutSlash((path) =>
    route({
      ...endpoints.deleteAllChats,
      path,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete all of the caller’s chats; only with confirm=all',
      handle: async ({ actor }) => ({ deleted: await deleteAllChats(context, actor) }),
    }),
  )

export const chatRoutes = (context: ChatsContext): Route[] => [
  ...listRoutes(context),
  ...deleteAllRoutes(context),
  route({
    ...endpoints.createChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Start a chat',
    maxBodyBytes,
    maxBodyParts,
    handle: async ({ actor, body }) => {
      const chat = await createChat(context, actor, { chat: body.chat, folderId: body.folder_id ?? null })
      return presentChat(chat, await listMessagesUnscoped(context.db, chat.id))
    },
  }),
  route({
    ...endpoints.searchChats,
    access: 'user',
    summary: 'Full text over titles and messages; also tag:x folder:x pinned:true archived:true',
    handle: async ({ actor, query: { text, ...page } }) => {
      const words = readSearch(text)
      return presentSearch(await context.search(actor, (db) => searchChats(db, actor, { words, page })))
    },
  }),
  route({
    ...endpoints.getChat,
    access: 'user',
    summary: 'A chat with its tree of messages; 304 while nothing has changed',
    handle: ({ actor, params, query, http }) =>
      answerChat(context, actor, {
        chatId: params.chatId,
        isActiveOnly: query.branch === 'active',
        window: query.last === undefined ? undefined : { last: query.last, before: query.before },
        known: http.header('if-none-match'),
      }),
  }),
  route({
    ...endpoints.mergeChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Merge changes into a chat; a chat of over 100 messages is answered with the touched ones only',
    maxBodyBytes,
    maxBodyParts,
    handle: async ({ actor, params, body }) => {
      const { chat, messages, links } = await mergeChat(context, actor, { chatId: params.chatId, sent: body.chat })
      return presentChat(chat, messages, links)
    },
  }),
  route({
    ...endpoints.deleteChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a chat; replies that run in it are stopped',
    handle: ({ actor, params }) => deleteChat(context, actor, params.chatId),
  }),
]
