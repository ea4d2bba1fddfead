/** Sharing, cloning, exporting and importing chats. */
import {
  Chat,
  CloneBody,
  ExportQuery,
  ImportList,
  ImportProgress,
  ImportQuery,
  ImportReply,
  ShareBody,
  SharedChat,
  ShareReply,
} from '@chancery/contract/chats.ts'
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

const base = '/api/v1/chats'

export const shareRoutes = (context: ChatsContext): Route[] => [
  route({
    method: 'POST',
    path: `${base}/:chatId/share`,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Share a snapshot of the shown thread with your organization; again: update it',
    body: ShareBody,
    reply: ShareReply,
    handle: async ({ actor, params, body, http }) => {
      const request = { chatId: params.chatId, shareId: body?.share_id, from: http }
      return presentShare(await shareChat(context, actor, request), actor, context)
    },
  }),
  route({
    method: 'DELETE',
    path: `${base}/:chatId/share`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Stop sharing a chat',
    handle: ({ actor, params, http }) => unshareChat(context, actor, { chatId: params.chatId, from: http }),
  }),
  route({
    method: 'GET',
    path: `${base}/share/:shareId`,
    access: 'user',
    summary: 'A shared chat, for its author and the members of the author’s organization',
    reply: SharedChat,
    handle: async ({ actor, params }) => presentShared(await getShare(context, actor, params.shareId)),
  }),
  route({
    method: 'GET',
    path: `${base}/share/:shareId/files/:fileId`,
    access: 'user',
    summary: 'A file or image of a shared chat',
    reply: 'raw',
    handle: async ({ actor, params: { shareId, fileId }, http }) =>
      readSharedFile(context, await findReadableShare(context, actor, shareId), { fileId, http }),
  }),
]

const wholeChat = async ({ db }: ChatsContext, chat: ChatRow) =>
  presentChat(chat, await listMessagesUnscoped(db, chat.id))

export const copyRoutes = (context: ChatsContext): Route[] => [
  route({
    method: 'POST',
    path: `${base}/:chatId/clone`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Copy a chat, whole or up to a message',
    body: CloneBody,
    reply: Chat,
    handle: async ({ actor, params, body }) => {
      const options = { title: body?.title, messageId: body?.message_id }
      return wholeChat(context, await cloneChat(context, actor, { chatId: params.chatId, ...options }))
    },
  }),
  route({
    method: 'POST',
    path: `${base}/share/:shareId/clone`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Copy a shared chat into your own',
    body: CloneBody,
    reply: Chat,
    handle: async ({ actor, params, body }) => {
      const options = { title: body?.title, messageId: body?.message_id }
      return wholeChat(context, await cloneShare(context, actor, { shareId: params.shareId, ...options }))
    },
  }),
  route({
    method: 'GET',
    path: `${base}/all`,
    access: 'user',
    summary: 'Export all chats, or one, with their images: as one JSON array or one per line',
    query: ExportQuery,
    reply: 'raw',
    handle: ({ actor, query: { format, chat_id: chatId } }) => exportChats(context, actor, { format, chatId }),
  }),
  route({
    method: 'POST',
    path: `${base}/import`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Import exported chats, one by one, up to 500 MB; message ids stay, chat ids are new',
    accepts: 'stream',
    query: ImportQuery,
    reply: ImportReply,
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
    method: 'GET',
    path: `${base}/imports`,
    access: 'user',
    summary: "The caller's imports that are running",
    reply: ImportList,
    handle: async ({ actor }) => ({ items: await listRunning(context, actor) }),
  }),
  route({
    method: 'GET',
    path: `${base}/imports/:importId`,
    access: 'user',
    summary: 'How far an import is that was started with this import_id',
    reply: ImportProgress,
    handle: ({ actor, params }) => readProgress(context, actor, params.importId),
  }),
]
