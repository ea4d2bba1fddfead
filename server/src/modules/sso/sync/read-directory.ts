/** Reads people from the provider, page by page: either all that were asked for, or an error. */
import { AppError } from '#kernel/errors.ts'
import { type DirectoryApi, type DirectoryPerson, pageSize, tenantAttribute } from '../directory/api.ts'
import { readAddress, readName, type SeenPerson } from './directory-diff.ts'
import { createRoleReader, readAllRoles } from './directory-roles.ts'

/** Beyond this, something is wrong: nobody has so many people. */
const mostPages = 20_000

export const isOf = (person: DirectoryPerson, organizationId: string): boolean =>
  person.attributes?.[tenantAttribute]?.includes(organizationId) === true

interface Reading {
  /** Everybody there, if absent. */
  organizationId?: string
  signal: AbortSignal
}

/** Each person once, though pages shift while they are read. */
export const readPages = async function* (
  directory: DirectoryApi,
  { organizationId, signal }: Reading,
): AsyncGenerator<DirectoryPerson> {
  const ids = new Set<string>()
  for (let page = 0; ; page += 1) {
    if (page >= mostPages) throw new AppError('idp_unavailable', { detail: 'The directory does not end.' })
    signal.throwIfAborted()
    const found = await directory.listPage(organizationId, page * pageSize)
    for (const person of found) {
      // The search is a filter there and a rule here: somebody else's people never come in by it.
      if (ids.has(person.id) || (organizationId !== undefined && !isOf(person, organizationId))) continue
      ids.add(person.id)
      yield person
    }
    if (found.length < pageSize) return
  }
}

/** Everybody of one organization. */
export const readDirectory = async (
  directory: DirectoryApi,
  organizationId: string,
  signal: AbortSignal,
): Promise<SeenPerson[]> => {
  const people: DirectoryPerson[] = []
  for await (const person of readPages(directory, { organizationId, signal })) people.push(person)
  const readRole =
    (people.length > pageSize ? await readAllRoles(directory, signal) : undefined) ?? createRoleReader(directory)
  const seen: SeenPerson[] = []
  for (const person of people) {
    signal.throwIfAborted()
    seen.push(asSeen(person, await readRole(person.id)))
  }
  return seen
}

export const asSeen = (person: DirectoryPerson, role: SeenPerson['role']): SeenPerson => ({
  subject: person.id,
  email: readAddress(person.email),
  isVerified: person.emailVerified === true,
  name: readName(person.firstName, person.lastName),
  enabled: person.enabled === true,
  role,
})
