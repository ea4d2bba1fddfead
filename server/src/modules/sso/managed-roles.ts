/** The roles that have a counterpart of the same name at the provider. Its other roles are none of our business. */
import type { UserRow } from '#modules/accounts/index.ts'

export const managedRoles = ['ROLE_USER', 'ROLE_ORG_ADMIN'] as const satisfies UserRow['role'][]

/** Undefined when the person holds none of them there. Older realms call the administrator ROLE_ADMIN. */
export const roleAmong = (names: readonly string[]): UserRow['role'] | undefined => {
  if (names.includes('ROLE_ORG_ADMIN') || names.includes('ROLE_ADMIN')) return 'ROLE_ORG_ADMIN'
  return names.includes('ROLE_USER') ? 'ROLE_USER' : undefined
}
