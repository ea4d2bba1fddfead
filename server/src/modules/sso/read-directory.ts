/** Reads everybody of one organization from the provider, page by page. Either all of them, or an error. */
import { AppError } from '#kernel/errors.ts'
import { type DirectoryApi, type DirectoryPerson, pageSize, tenantAttribute } from './directory/api.ts'
import { readAddress, readName, type SeenPerson } from './directory-diff.ts'
import { roleAmong } from './managed-roles.ts'

/** Beyond this, something is wrong: no plan has so many members. */
const mostPages = 500

export const isOf = (person: DirectoryPerson, organizationId: string): boolean =>
  person.attributes?.[tenantAttribute]?.includes(organizationId) === true

export const readDirectory = async (
  directory: DirectoryApi,
  organizationId: string,
  signal: AbortSignal,
): Promise<SeenPerson[]> => {
  const people = new Map<string, DirectoryPerson>()
  for (let page = 0; ; page += 1) {
    if (page >= mostPages) throw new AppError('idp_unavailable', { detail: 'The directory does not end.' })
    signal.throwIfAborted()
    const found = await directory.listPage(organizationId, page * pageSize)
    // The search is a filter there and a rule here: somebody else's people never come in by it.
    for (const person of found) if (isOf(person, organizationId)) people.set(person.id, person)
    if (found.length < pageSize) break
  }
  const readRole = createRoleReader(directory)
  const seen: SeenPerson[] = []
  for (const person of people.values()) {
    signal.throwIfAborted()
    seen.push({ ...asSeen(person), role: await readRole(person.id) })
  }
  return seen
}

const asSeen = (person: DirectoryPerson): Omit<SeenPerson, 'role'> => ({
  subject: person.id,
  email: readAddress(person.email),
  isVerified: person.emailVerified === true,
  name: readName(person.firstName, person.lastName),
  enabled: person.enabled === true,
})

/** Somebody without any of our roles is a plain member, unless the realm does not have our roles at all. */
const createRoleReader = (directory: DirectoryApi) => {
  let isManagedThere: boolean | undefined
  return async (id: string): Promise<SeenPerson['role']> => {
    const held = roleAmong(await directory.listRoles(id))
    if (held !== undefined) return held
    isManagedThere ??= (await directory.listAvailableRoles(id)).includes('ROLE_ORG_ADMIN')
    return isManagedThere ? 'ROLE_USER' : undefined
  }
}
