/** All SQL of this module. Nobody is signed in yet where a login asks. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { IdentityProvidersTable } from './tables.ts'

export type ProviderRow = Selectable<IdentityProvidersTable>

const own = (db: Db, actor: OrgActor) =>
  db.selectFrom('identityProviders').selectAll().where('organizationId', '=', actor.organizationId)

export const listProviders = (db: Db, actor: OrgActor): Promise<ProviderRow[]> =>
  own(db, actor).orderBy('name').orderBy('id').execute()

export const findProvider = (db: Db, actor: OrgActor, id: string): Promise<ProviderRow | undefined> =>
  own(db, actor).where('id', '=', id).executeTakeFirst()

/** Changes of one organization's providers follow one another, so that no domain has two of them. */
export const lockProviders = async (db: Db, actor: OrgActor): Promise<void> => {
  const name = `identity providers ${actor.organizationId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

export const insertProviderUnscoped = (db: Db, row: Insertable<IdentityProvidersTable>): Promise<ProviderRow> =>
  db.insertInto('identityProviders').values(row).returningAll().executeTakeFirstOrThrow()

export const updateProviderUnscoped = (
  db: Db,
  id: string,
  change: Updateable<IdentityProvidersTable>,
): Promise<ProviderRow> =>
  db.updateTable('identityProviders').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteProviderUnscoped = (db: Db, id: string) =>
  db.deleteFrom('identityProviders').where('id', '=', id).execute()

/** For a login. */
export const findEnabledProviderUnscoped = (db: Db, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('identityProviders').selectAll().where('id', '=', id).where('enabled', '=', true).executeTakeFirst()

/** The one that signs people of this domain in. */
export const findProviderOfDomainUnscoped = (
  db: Db,
  { organizationId, domain }: { organizationId: string; domain: string },
): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('identityProviders')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('enabled', '=', true)
    .where(sql<boolean>`${domain} = any(domains)`)
    .orderBy('id')
    .executeTakeFirst()

/** An enabled one that somebody has signed in with. */
export const hasWorkingProviderUnscoped = async (db: Db, organizationId: string): Promise<boolean> =>
  (await db
    .selectFrom('identityProviders')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('enabled', '=', true)
    .where('lastLoginAt', 'is not', null)
    .executeTakeFirst()) !== undefined

/** True for exactly one caller. What has expired is of no use to anybody, and goes at the same time. */
export const claimLoginUnscoped = async (
  db: Db,
  { fingerprint, expiresAt, now }: { fingerprint: string; expiresAt: Date; now: Date },
): Promise<boolean> => {
  await db.deleteFrom('identityProviderLogins').where('expiresAt', '<', now).execute()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('identityProviderLogins')
    .values({ fingerprint, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
