/** How an address signs in: at the provider, if its account's company or its mail domain does; else it is not for us. */
import type { Db } from '#kernel/db/database.ts'
import { findUserByEmailUnscoped, type LoginMethod } from '#modules/accounts/index.ts'
import { findOrganizationByAddressUnscoped, findOrganizationUnscoped } from '#modules/organizations/index.ts'

/** A person's own company decides before the domain of their address. */
const findCompany = async (db: Db, email: string) => {
  const user = await findUserByEmailUnscoped(db, email)
  if (user) return user.organizationId === null ? undefined : findOrganizationUnscoped(db, user.organizationId)
  return findOrganizationByAddressUnscoped(db, email)
}

export const ssoLoginMethod =
  (db: Db): LoginMethod =>
  async (email) =>
    (await findCompany(db, email))?.authProvider === 'SSO' ? { mode: 'SSO', ssoUrl: '/sso/idp' } : undefined
