/** All SQL for `mcp_refresh_tokens`. The token alone is the credential. */
import type { Db } from '#kernel/db/database.ts'
import type { McpRefreshTokensTable } from '../tables.ts'

export type RefreshTokenRow = McpRefreshTokensTable

/** Expired tokens are deleted along with it. */
export const insertRefreshTokenUnscoped = async (
  tx: Db,
  { now, ...row }: Omit<RefreshTokenRow, 'usedAt'> & { now: Date },
): Promise<void> => {
  await tx.deleteFrom('mcpRefreshTokens').where('expiresAt', '<', now).execute()
  await tx
    .insertInto('mcpRefreshTokens')
    .values({ ...row, usedAt: null })
    .execute()
}

export const findRefreshTokenUnscoped = (db: Db, { tokenHash, now }: { tokenHash: string; now: Date }) =>
  db
    .selectFrom('mcpRefreshTokens')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** False when it was used before, also by a request at the same time. */
export const useRefreshTokenUnscoped = async (
  tx: Db,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<boolean> => {
  const used = await tx
    .updateTable('mcpRefreshTokens')
    .set({ usedAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .returning('tokenHash')
    .executeTakeFirst()
  return used !== undefined
}
