/**
 * Looks through the provider's directory for all companies together, and keeps only a digest of each. A company's people
 * are compared with ours only when its digest changed, so a directory where nothing happens costs no job and no row.
 */
import { type DirectoryApi, type DirectoryPerson, pageSize, tenantAttribute } from '../directory/api.ts'
import { createDirectoryDigest } from './directory-digest.ts'
import { createRoleReader, readAllRoles } from './directory-roles.ts'
import { asSeen, readPages } from './read-directory.ts'

interface Sweep {
  organizationIds: readonly string[]
  signal: AbortSignal
}

/** The digest of each company, by its id. */
export const sweepDirectory = async (
  directory: DirectoryApi,
  { organizationIds, signal }: Sweep,
): Promise<Map<string, string>> => {
  const digests = new Map(organizationIds.map((id) => [id, createDirectoryDigest()]))
  const readRole = (await readAllRoles(directory, signal)) ?? createRoleReader(directory)

  const add = async (person: DirectoryPerson, owners: Iterable<string>): Promise<void> => {
    const known = [...owners].flatMap((id) => digests.get(id) ?? [])
    if (known.length === 0) return
    const seen = asSeen(person, await readRole(person.id))
    for (const digest of known) digest.add(seen)
  }
  if (await isWholeCheaper(directory, organizationIds.length)) {
    for await (const person of readPages(directory, { signal }))
      await add(person, new Set(person.attributes?.[tenantAttribute]))
  } else
    for (const organizationId of organizationIds)
      for await (const person of readPages(directory, { organizationId, signal })) await add(person, [organizationId])
  return new Map(Array.from(digests, ([id, digest]) => [id, digest.text()]))
}

/** A company takes a call at least, however few its people are. */
const isWholeCheaper = async (directory: DirectoryApi, companies: number): Promise<boolean> => {
  const people = await directory.count()
  return people !== undefined && people <= companies * pageSize
}
