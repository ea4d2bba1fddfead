/**
 * Roles of people at the provider. By role, a hundred people a call, where the service account may look into roles
 * (`view-realm`); else person by person.
 */
import type { DirectoryApi } from '../directory/api.ts'
import { roleAmong } from '../managed-roles.ts'
import type { SeenPerson } from './directory-diff.ts'

export type ReadRole = (personId: string) => Promise<SeenPerson['role']>

/** Somebody without any of our roles is a plain member, unless the realm does not have our roles at all. */
export const createRoleReader = (directory: DirectoryApi): ReadRole => {
  let isManagedThere: boolean | undefined
  return async (id) => {
    const held = roleAmong(await directory.listRoles(id))
    if (held !== undefined) return held
    isManagedThere ??= (await directory.listAvailableRoles(id)).includes('ROLE_ORG_ADMIN')
    return isManagedThere ? 'ROLE_USER' : undefined
  }
}

/** The same answers, read in advance. Undefined where the service account may not. */
export const readAllRoles = async (directory: DirectoryApi, signal: AbortSignal): Promise<ReadRole | undefined> => {
  const admins = await directory.listHolders('ROLE_ORG_ADMIN', signal)
  const former = await directory.listHolders('ROLE_ADMIN', signal)
  if (admins === 'forbidden' || former === 'forbidden') return undefined
  const members = admins ? undefined : await directory.listHolders('ROLE_USER', signal)
  if (members === 'forbidden') return undefined
  return async (id) => {
    if (admins?.has(id) || former?.has(id)) return 'ROLE_ORG_ADMIN'
    return admins || members?.has(id) ? 'ROLE_USER' : undefined
  }
}
