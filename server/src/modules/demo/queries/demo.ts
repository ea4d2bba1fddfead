/** SQL about the demo as a whole. */
import type { Db } from '#kernel/db/database.ts'

export interface DemoPerson {
  id: string
  email: string
  role: string
}

/** Its organization. */
export const findDemoUnscoped = async (db: Db): Promise<string | undefined> =>
  (await db.selectFrom('demoOrganizations').select('organizationId').executeTakeFirst())?.organizationId

export const listPeopleUnscoped = (db: Db, organizationId: string): Promise<DemoPerson[]> =>
  db.selectFrom('users').select(['id', 'email', 'role']).where('organizationId', '=', organizationId).execute()

export const countSealingUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const waiting = await db
    .selectFrom('signingDocuments')
    .select('id')
    .where('scopeId', '=', scopeId)
    .where('state', '=', 'SEALING')
    .execute()
  return waiting.length
}
