/** All SQL for `mcp_codes`: what a person has allowed and a client has not fetched yet. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'

interface Saved {
  codeHash: string
  sealed: string
  now: Date
  expiresAt: Date
}

/** Codes that nobody fetched in time go with the next one. */
export const insertMcpCode = async (
  db: Db,
  actor: Actor,
  { codeHash, sealed, now, expiresAt }: Saved,
): Promise<void> => {
  await db.deleteFrom('mcpCodes').where('expiresAt', '<', now).execute()
  await db.insertInto('mcpCodes').values({ codeHash, userId: actor.id, sealed, expiresAt }).execute()
}

/** The code alone is the credential. It is gone afterwards, whatever the caller does with it. */
export const takeMcpCodeUnscoped = async (
  db: Db,
  { codeHash, now }: { codeHash: string; now: Date },
): Promise<string | undefined> => {
  const taken = await db
    .deleteFrom('mcpCodes')
    .where('codeHash', '=', codeHash)
    .returning(['sealed', 'expiresAt'])
    .executeTakeFirst()
  return taken && taken.expiresAt > now ? taken.sealed : undefined
}
