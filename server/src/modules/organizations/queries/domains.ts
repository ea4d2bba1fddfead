/** All SQL for `organization_domains`. A domain decides nothing until it is verified. */
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationDomainsTable } from '../tables.ts'

export type DomainRow = OrganizationDomainsTable

export const listOwnDomains = (db: Db, actor: OrgActor): Promise<DomainRow[]> =>
  db
    .selectFrom('organizationDomains')
    .selectAll()
    .where('organizationId', '=', actor.organizationId)
    .orderBy('domain')
    .execute()

export const findOwnDomain = (db: Db, actor: OrgActor, domain: string): Promise<DomainRow | undefined> =>
  db
    .selectFrom('organizationDomains')
    .selectAll()
    .where('organizationId', '=', actor.organizationId)
    .where('domain', '=', domain)
    .executeTakeFirst()

/** A second claim keeps the first one's token. */
export const claimDomain = (db: Db, actor: OrgActor, claim: { domain: string; txtToken: string; createdAt: Date }) =>
  db
    .insertInto('organizationDomains')
    .values({ ...claim, organizationId: actor.organizationId, verifiedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Fails on the unique index when another organization has verified it meanwhile. */
export const verifyOwnDomain = (db: Db, actor: OrgActor, { domain, at }: { domain: string; at: Date }) =>
  db
    .updateTable('organizationDomains')
    .set({ verifiedAt: at })
    .where('organizationId', '=', actor.organizationId)
    .where('domain', '=', domain)
    .where('verifiedAt', 'is', null)
    .execute()

export const deleteOwnDomain = async (db: Db, actor: OrgActor, domain: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('organizationDomains')
    .where('organizationId', '=', actor.organizationId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The verified ones. */
export const listDomainsUnscoped = async (db: Db, organizationId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('organizationDomains')
    .select('domain')
    .where('organizationId', '=', organizationId)
    .where('verifiedAt', 'is not', null)
    .orderBy('domain')
    .execute()
  return rows.map(({ domain }) => domain)
}

/**
 * Domains entered by a platform admin count as verified. Answers how many of the domains the organization then has:
 * fewer than asked means that another one has the rest.
 */
export const replaceDomainsUnscoped = async (
  db: Db,
  { organizationId, domains, at }: { organizationId: string; domains: readonly string[]; at: Date },
): Promise<number> => {
  await db.deleteFrom('organizationDomains').where('organizationId', '=', organizationId).execute()
  if (domains.length === 0) return 0
  const rows = [...new Set(domains)]
    .sort()
    .map((domain) => ({ domain, organizationId, verifiedAt: at, txtToken: null, createdAt: at }))
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('organizationDomains')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0n)
}
