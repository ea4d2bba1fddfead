/** What an organization says about its people's logins, and whether they get in at all. */
import type { Db } from '#kernel/db/database.ts'
import {
  type Accounts,
  asPrincipal,
  type FindLoginPolicy,
  type LoadPrincipal,
  type LoginPolicy,
  type UserRow,
} from '#modules/accounts/index.ts'
import { findOrganizationUnscoped } from './queries/organizations.ts'

const free: LoginPolicy = { refusesPassword: false, requiresOtp: false, isSuspended: false }

const readPolicy = async (db: Db, organizationId: string): Promise<LoginPolicy> => {
  const organization = await findOrganizationUnscoped(db, organizationId)
  if (!organization) return free
  return {
    refusesPassword: organization.authProvider === 'SSO' || !organization.active,
    requiresOtp: organization.loginOtp,
    isSuspended: !organization.active,
  }
}

/**
 * Remembered with the row it was asked for: each login reads the person anew, so it costs one query however often it
 * asks, and the next login sees every change.
 */
export const createFindLoginPolicy = (db: Db): FindLoginPolicy => {
  const remembered = new WeakMap<UserRow, Promise<LoginPolicy>>()
  return (user) => {
    if (user.organizationId === null) return Promise.resolve(free)
    const policy = remembered.get(user) ?? readPolicy(db, user.organizationId)
    remembered.set(user, policy)
    return policy
  }
}

/** A person of a deactivated organization counts as deactivated, whatever credential they show. */
export const createLoadMember =
  ({ users }: Pick<Accounts, 'users'>): LoadPrincipal =>
  async (db, id) => {
    const user = await users.findByIdUnscoped(db, id)
    if (!user?.organizationId) return user && asPrincipal(user)
    const { isSuspended } = await readPolicy(db, user.organizationId)
    return asPrincipal(isSuspended ? { ...user, status: 'DEACTIVATED' } : user)
  }
