/** Leads an address of a provider's domain there. A person of another organization stays with that one's ways. */
import type { LoginMethod } from '#modules/accounts/index.ts'
import type { ProvidersContext } from './context.ts'
import { loginUrlOf } from './present.ts'
import { findProviderOfDomainUnscoped } from './queries.ts'

type Deps = Pick<ProvidersContext, 'accounts' | 'organizations' | 'db'>

export const ownLoginMethod =
  ({ accounts, organizations, db }: Deps): LoginMethod =>
  async (email) => {
    const owner = await organizations.findByAddressUnscoped(db, email)
    if (!owner?.active) return undefined
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
    const provider = await findProviderOfDomainUnscoped(db, { organizationId: owner.id, domain })
    if (!provider) return undefined
    const user = await accounts.users.findByEmailUnscoped(db, email)
    if (user && user.organizationId !== null && user.organizationId !== owner.id) return undefined
    return { mode: 'SSO', ssoUrl: loginUrlOf(provider.id), passwordAllowed: owner.authProvider !== 'SSO' }
  }
