/** All SQL for `mcp_codes`: what a person has allowed and clients exchange for keys. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'

interface Saved {
  codeHash: string
  sealed: string
  now: Date
  expiresAt: Date
}

/** Expired codes are deleted along with it. */
export const insertMcpCode = async (
  db: Db,
  actor: Actor,
  { codeHash, sealed, now, expiresAt }: Saved,
): Promise<void> => {
  await db.deleteFrom('mcpCodes').where('expiresAt', '<', now).execute()
  await db.insertInto('mcpCodes').values({ codeHash, userId: actor.id, sealed, expiresAt, keyId: null }).execute()
}

/** The code alone is the credential. Locked, so that of two exchanges at the same time one sees the other's key. */
export const lockMcpCodeUnscoped = (tx: Db, { codeHash, now }: { codeHash: string; now: Date }) =>
  tx
    .selectFrom('mcpCodes')
    .select(['sealed', 'keyId'])
    .where('codeHash', '=', codeHash)
    .where('expiresAt', '>', now)
    .forUpdate()
    .executeTakeFirst()

export const markMcpCodeUsedUnscoped = (tx: Db, { codeHash, keyId }: { codeHash: string; keyId: string }) =>
  tx.updateTable('mcpCodes').set({ keyId }).where('codeHash', '=', codeHash).execute()

export const deleteMcpCodeUnscoped = (tx: Db, codeHash: string) =>
  tx.deleteFrom('mcpCodes').where('codeHash', '=', codeHash).execute()
