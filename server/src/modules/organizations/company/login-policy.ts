/** An organization's rules for its people's logins, and whether they may sign in at all. */
import type { FactorPolicy } from '@chancery/contract/accounts/factors.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import {
  type Accounts,
  activeUsers,
  asPrincipal,
  type FindLoginPolicy,
  type LoadPrincipal,
  type LoginPolicy,
} from '#modules/accounts/index.ts'
import { readOnlyFrom } from '../plan/trial.ts'
import {
  findOrganizationByAddressUnscoped,
  findOrganizationUnscoped,
  type OrganizationRow,
} from '../queries/organizations.ts'

type Deps = Pick<Kernel, 'db' | 'clock'>
type Person = Parameters<FindLoginPolicy>[0]

const free: LoginPolicy = {
  refusesPassword: false,
  requiresOtp: false,
  factors: 'none',
  remembersBrowsers: true,
  isSuspended: false,
}

/** What the organization asks for by now. */
export const factorsAskedBy = (
  { factorPolicy, factorPolicyFrom }: Pick<OrganizationRow, 'factorPolicy' | 'factorPolicyFrom'>,
  now: Date,
): FactorPolicy => (factorPolicyFrom !== null && factorPolicyFrom > now ? 'none' : factorPolicy)

const readPolicy = async ({ db, clock }: Deps, { email, organizationId }: Person): Promise<LoginPolicy> => {
  if (organizationId === null) return readDomainPolicy(db, email)
  const organization = await findOrganizationUnscoped(db, organizationId)
  if (!organization) return free
  return {
    refusesPassword: organization.authProvider === 'SSO' || !organization.active,
    requiresOtp: organization.loginOtp,
    factors: factorsAskedBy(organization, clock.now()),
    remembersBrowsers: organization.remembersBrowsers,
    isSuspended: !organization.active,
  }
}

/** Addresses of a verified domain follow that organization's login rules, members or not. */
const readDomainPolicy = async (db: Db, email: string): Promise<LoginPolicy> => {
  const organization = await findOrganizationByAddressUnscoped(db, email)
  if (!organization?.active) return free
  return { ...free, refusesPassword: organization.authProvider === 'SSO', requiresOtp: organization.loginOtp }
}

/**
 * Remembered with the row it was asked for: each login reads the person again, so it costs one query however often it
 * asks, and the next login sees every change.
 */
export const createFindLoginPolicy = (deps: Deps): FindLoginPolicy => {
  const remembered = new WeakMap<Person, Promise<LoginPolicy>>()
  return (person) => {
    const policy = remembered.get(person) ?? readPolicy(deps, person)
    remembered.set(person, policy)
    return policy
  }
}

/** The same as `createLoadMember` says of one. */
export const activeMembers = `select u.* from (${activeUsers}) as u
  where not exists (select from organizations as o where o.id = u.organization_id and not o.active)`

/** A member of a closed organization counts as deactivated, whatever credential they show. */
export const createLoadMember =
  ({ users }: Pick<Accounts, 'users'>): LoadPrincipal =>
  async (db, id) => {
    const user = await users.findByIdUnscoped(db, id)
    if (!user?.organizationId) return user && asPrincipal(user)
    const organization = await findOrganizationUnscoped(db, user.organizationId)
    if (!organization) return asPrincipal(user)
    const principal = asPrincipal(organization.active ? user : { ...user, status: 'DEACTIVATED' })
    return { ...principal, readOnlyFrom: readOnlyFrom(organization) }
  }
