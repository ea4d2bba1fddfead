/** Hands over or deletes the chats of a person who is deleted. Their running replies stop in either case. */
import type { UserDeletionHandler } from '#modules/accounts/index.ts'
import type { ChatsContext } from '../context.ts'
import { deleteChatsOfUnscoped, handOverChatsUnscoped, listChatIdsOfUnscoped } from '../queries/ownership.ts'

export const handOverChats =
  ({ deleteListeners }: Pick<ChatsContext, 'deleteListeners'>): UserDeletionHandler =>
  async (tx, { user, heir }) => {
    const ids = await listChatIdsOfUnscoped(tx, user.id)
    for (const listen of deleteListeners) listen(ids)
    if (heir) await handOverChatsUnscoped(tx, user.id, heir.id)
    else await deleteChatsOfUnscoped(tx, user.id)
  }
