/**
 * Public links to shared chats, read without an account. A link is open only while everything that allowed it still
 * holds, and that is asked on each read: the share is there, the author is active and in the organization where they
 * made the link, and that organization is open and allows public links.
 */
import { publicChatPagePath } from '@chancery/contract/chats/chats.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { ChatsContext } from '../context.ts'
import { lockChat } from '../queries/chats.ts'
import { findShareByTokenUnscoped, findShareOfUnscoped, type ShareRow, updateShareUnscoped } from '../queries/shares.ts'
import { getChat } from '../reading/read-chat.ts'
import { publicTokenOf } from './public-view.ts'
import { type ReadableShare, recordLink, type SharedView, withSnapshot } from './share-chat.ts'

export const getOwnShare = async ({ db }: Pick<ChatsContext, 'db'>, actor: Actor, chatId: string) => {
  await getChat(db, actor, chatId)
  const share = await findShareOfUnscoped(db, chatId)
  if (!share) throw new AppError('share_not_found')
  return share
}

interface Publishing {
  chatId: string
  /** Undefined leaves a link as it is. */
  showAuthor: boolean | undefined
  /** The link to change. Without it, a link is made if there is none. */
  publicUrl: string | undefined
  from: Origin
}

/** Makes the link, or changes whether it names the author. The link stays the same until it is removed. */
export const publishShare = async (
  context: ChatsContext,
  actor: Actor,
  { chatId, publicUrl, from, ...wanted }: Publishing,
): Promise<ShareRow> => {
  await context.requireWritable(context.db, actor)
  return context.db.transaction().execute(async (tx) => {
    const { chat, share } = await lockOwnShare(tx, actor, chatId)
    if (!(await allowsPublicLinks(context, tx, actor.organizationId))) throw new AppError('public_links_not_allowed')
    const token = publicTokenOf(share, actor)
    if (publicUrl !== undefined && (token === null || !publicUrl.endsWith(publicChatPagePath(token))))
      throw new AppError('public_link_not_found')
    const showsAuthor = wanted.showAuthor ?? (token !== null && share.showsAuthor)
    if (token !== null && share.showsAuthor === showsAuthor) return share
    const saved = await updateShareUnscoped(tx, chatId, {
      // A link from another organization is not opened again by this one.
      publicToken: token ?? randomToken(),
      publicOrganizationId: actor.organizationId,
      showsAuthor,
    })
    await recordLink(context, tx, { action: 'chat.publish', actor, chat, from, detail: { show_author: showsAuthor } })
    return saved
  })
}

/** Safe to repeat. The next public link is another one. */
export const unpublishShare = async (
  context: ChatsContext,
  actor: Actor,
  { chatId, from }: Pick<Publishing, 'chatId' | 'from'>,
): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const { chat, share } = await lockOwnShare(tx, actor, chatId)
    if (share.publicToken === null) return
    await updateShareUnscoped(tx, chatId, { publicToken: null, publicOrganizationId: null, showsAuthor: false })
    await recordLink(context, tx, { action: 'chat.unpublish', actor, chat, from })
  })

const lockOwnShare = async (tx: Db, actor: Actor, chatId: string) => {
  const chat = await lockChat(tx, actor, chatId)
  if (!chat) throw new AppError('chat_not_found')
  const share = await findShareOfUnscoped(tx, chatId)
  if (!share) throw new AppError('share_not_found')
  return { chat, share }
}

const allowsPublicLinks = async ({ organizations }: ChatsContext, db: Db, organizationId: string | null) => {
  const organization = organizationId === null ? undefined : await organizations.findUnscoped(db, organizationId)
  return organization?.active === true && organization.publicChatLinks
}

export const findPublicShare = async (context: ChatsContext, token: string): Promise<ReadableShare> => {
  const { db } = context
  const share = await findShareByTokenUnscoped(db, token)
  const author = share && (await findUserByIdUnscoped(db, share.userId))
  const isHere = author?.status === 'ACTIVE' && author.organizationId === share?.publicOrganizationId
  if (!share || !isHere || !(await allowsPublicLinks(context, db, author.organizationId)))
    throw new AppError('share_not_found')
  return { share, author: author.name }
}

export const getPublicShare = async (context: ChatsContext, token: string): Promise<SharedView> =>
  withSnapshot(context.db, await findPublicShare(context, token))
