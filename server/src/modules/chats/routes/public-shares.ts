/** Public links to shared chats: making and removing them, and what they show without an account. */

import { PublicChat } from '@chancery/contract/chats/chats.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { notForSearchEngines } from '#kernel/http/pages/security-headers.ts'
import { jsonReply } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { presentPublic, presentShare } from '../present.ts'
import { findPublicShare, getOwnShare, getPublicShare, publishShare, unpublishShare } from '../sharing/public-share.ts'
import { readSharedFile } from '../sharing/shared-file.ts'

/** The page reads the whole snapshot, its files don't. A page can show many images. */
const pageLimits = [{ per: 'address', max: 60, windowSec: 60 }] as const
const fileLimits = [{ per: 'address', max: 600, windowSec: 60 }] as const
/** A link that was removed must not live on in a cache. */
const closing = { ...notForSearchEngines, 'cache-control': 'no-store' } as const

export const publicShareRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.getShareLink,
    access: 'user',
    summary: 'The links to a chat that you share',
    handle: async ({ actor, params }) => presentShare(await getOwnShare(context, actor, params.chatId), actor, context),
  }),
  route({
    ...endpoints.openPublicLink,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Let anybody with a link read a shared chat, where the organization allows it',
    handle: async ({ actor, params, body, http }) => {
      const { show_author: showAuthor, public_url: publicUrl } = body
      const request = { chatId: params.chatId, showAuthor, publicUrl, from: http }
      return presentShare(await publishShare(context, actor, request), actor, context)
    },
  }),
  route({
    ...endpoints.closePublicLink,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Remove the public link; the organization can still read the chat',
    handle: ({ actor, params, http }) => unpublishShare(context, actor, { chatId: params.chatId, from: http }),
  }),
  route({
    ...endpoints.getPublicChat,
    access: 'public',
    summary: 'A chat with a public link, as its author shared it',
    limits: pageLimits,
    handle: async ({ params }) => {
      const { headers, body } = jsonReply(PublicChat.parse(presentPublic(await getPublicShare(context, params.token))))
      return { headers: { ...headers, ...closing }, body }
    },
  }),
  route({
    ...endpoints.readPublicFile,
    access: 'public',
    summary: 'A file or image of a chat with a public link',
    limits: fileLimits,
    handle: async ({ params: { token, fileId }, http }) => {
      const reply = await readSharedFile(context, await findPublicShare(context, token), { fileId, http })
      return { ...reply, headers: { ...reply.headers, ...closing } }
    },
  }),
]
