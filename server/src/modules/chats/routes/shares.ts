/** Sharing, cloning, exporting and importing chats. */
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { exportChats } from '../export/export-chats.ts'
import { importChats } from '../import/import-chats.ts'
import { listRunning, readProgress } from '../import/progress.ts'
import { presentChat, presentShare, presentShared } from '../present.ts'
import type { ChatRow } from '../queries/chats.ts'
import { listMessagesUnscoped } from '../queries/messages.ts'
import { cloneChat, cloneShare } from '../sharing/clone-chat.ts'
import { findReadableShare, getShare, shareChat, unshareChat } from '../sharing/share-chat.ts'
import { readSharedFile } from '../sharing/shared-file.ts'

export const shareRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.shareChat,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Share a snapshot of the shown thread with your organization; again: update it',
    handle: async ({ actor, params, body, http }) => {
      const request = { chatId: params.chatId, shareId: body?.share_id, from: http }
      return presentShare(await shareChat(context, actor, request), actor, context)
    },
  }),
  route({
    ...endpoints.unshareChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Stop sharing a chat',
    handle: ({ actor, params, http }) => unshareChat(context, actor, { chatId: params.chatId, from: http }),
  }),
  route({
    ...endpoints.getSharedChat,
    access: 'user',
    summary: 'A shared chat, for its author and the members of the author’s organization',
    handle: async ({ actor, params }) => presentShared(await getShare(context, actor, params.shareId)),
  }),
  route({
    ...endpoints.readSharedFile,
    access: 'user',
    summary: 'A file or image of a shared chat',
    handle: async ({ actor, params: { shareId, fileId }, http }) =>
      readSharedFile(context, await findReadableShare(context, actor, shareId), { fileId, http }),
  }),
]

const wholeChat = async ({ db }: ChatsContext, chat: ChatRow) =>
  presentChat(chat, await listMessagesUnscoped(db, chat.id))

export const copyRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.cloneChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Copy a chat, whole or up to a message',
    handle: async ({ actor, params, body }) => {
      const options = { title: body?.title, messageId: body?.message_id }
      return wholeChat(context, await cloneChat(context, actor, { chatId: params.chatId, ...options }))
    },
  }),
  route({
    ...endpoints.cloneSharedChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Copy a shared chat into your own',
    handle: async ({ actor, params, body }) => {
      const options = { title: body?.title, messageId: body?.message_id }
      return wholeChat(context, await cloneShare(context, actor, { shareId: params.shareId, ...options }))
    },
  }),
  route({
    ...endpoints.exportChats,
    access: 'user',
    summary: 'Export all chats, or one, with their images: as one JSON array or one per line',
    handle: ({ actor, query: { format, chat_id: chatId } }) => exportChats(context, actor, { format, chatId }),
  }),
  route({
    ...endpoints.importChats,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Import exported chats, one by one, up to 500 MB; message ids stay, chat ids are new',
    accepts: 'stream',
    handle: ({ actor, query, http }) => {
      const length = Number(http.header('content-length') ?? Number.NaN)
      return importChats(context, actor, {
        id: query.import_id,
        incoming: http.incoming,
        length: Number.isFinite(length) ? length : undefined,
        signal: http.signal,
      })
    },
  }),
  route({
    ...endpoints.listImports,
    access: 'user',
    summary: "The caller's imports that are running",
    handle: async ({ actor }) => ({ items: await listRunning(context, actor) }),
  }),
  route({
    ...endpoints.getImport,
    access: 'user',
    summary: 'How far an import is that was started with this import_id',
    handle: ({ actor, params }) => readProgress(context, actor, params.importId),
  }),
]
