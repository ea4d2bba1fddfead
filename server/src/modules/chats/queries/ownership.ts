/** SQL for the chats of a person who is deleted. */
import type { Db } from '#kernel/db/database.ts'

export const listChatIdsOfUnscoped = async (tx: Db, userId: string): Promise<string[]> =>
  (await tx.selectFrom('chats').select('id').where('userId', '=', userId).execute()).map(({ id }) => id)

/** Folders, messages and shares name the owner too. */
export const handOverChatsUnscoped = async (tx: Db, userId: string, heirId: string): Promise<void> => {
  for (const table of ['chatFolders', 'chats', 'chatMessages'] as const)
    await tx.updateTable(table).set({ userId: heirId }).where('userId', '=', userId).execute()
  // The heir has published nothing, so public links are closed.
  const unpublished = { publicToken: null, publicOrganizationId: null }
  await tx
    .updateTable('chatShares')
    .set({ userId: heirId, ...unpublished })
    .where('userId', '=', userId)
    .execute()
}

/** Messages and shares are deleted with their chat. */
export const deleteChatsOfUnscoped = async (tx: Db, userId: string): Promise<void> => {
  for (const table of ['chats', 'chatFolders'] as const)
    await tx.deleteFrom(table).where('userId', '=', userId).execute()
}
