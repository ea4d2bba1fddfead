/** Signs an address in at the provider if its account's company or its mail domain does so; others are not for us. */
import type { LoginMethod } from '#modules/accounts/index.ts'
import type { SsoContext } from './context.ts'

type Deps = Pick<SsoContext, 'accounts' | 'organizations' | 'db'>

/** A person's own company decides before the domain of their address. */
const findCompany = async ({ accounts, organizations, db }: Deps, email: string) => {
  const user = await accounts.users.findByEmailUnscoped(db, email)
  if (user) return user.organizationId === null ? undefined : organizations.findUnscoped(db, user.organizationId)
  return organizations.findByAddressUnscoped(db, email)
}

export const ssoLoginMethod =
  (deps: Deps): LoginMethod =>
  async (email) =>
    (await findCompany(deps, email))?.authProvider === 'SSO' ? { mode: 'SSO', ssoUrl: '/sso/idp' } : undefined
