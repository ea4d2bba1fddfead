/** A person's groups, also those they are in through other groups, and the role that follows. */
import { type Client, EqualityFilter, OrFilter, ResultCodeError } from 'ldapts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { Directory } from './directory.ts'
import { comparableDn } from './dn.ts'
import { asFailure } from './failures.ts'
import { type DirectoryPerson, textsOf } from './person.ts'

/** The most groups that are followed to the groups that they are in: each costs a search. */
const maxFollowed = 200
const maxDepth = 10

type Parents = (dn: string) => Promise<string[]>

/** Breadth first, each group once, so that circles end. */
export const findGroups = async (client: Client, directory: Directory, person: DirectoryPerson): Promise<string[]> => {
  const parentsOf = directory.attributes.memberOf === '' ? bySearch(client, directory) : byAttribute(client, directory)
  const found = new Map<string, string>()
  let level = directory.attributes.memberOf === '' ? await parentsOf(person.dn) : person.memberOf
  let followed = 0
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const fresh = newOnes(found, level)
    level = []
    for (const dn of fresh) {
      if (followed === maxFollowed) return [...found.values()]
      followed += 1
      level.push(...(await parentsOf(dn)))
    }
  }
  return [...found.values()]
}

const newOnes = (found: Map<string, string>, level: readonly string[]): string[] => {
  const fresh: string[] = []
  for (const dn of level) {
    const key = comparableDn(dn)
    if (key === undefined || found.has(key)) continue
    found.set(key, dn)
    fresh.push(dn)
  }
  return fresh
}

/** The group's own entry says where it is a member. */
const byAttribute = (client: Client, { attributes: { memberOf } }: Directory): Parents => {
  return async (dn) => {
    const entries = await tolerantSearch(() =>
      client.search(dn, { scope: 'base', derefAliases: 'never', attributes: [memberOf], timeLimit: 5 }),
    )
    return entries.flatMap((entry) => textsOf(entry, memberOf))
  }
}

/** Groups that list this entry. */
const bySearch = (client: Client, { baseDn }: Directory): Parents => {
  return async (dn) => {
    const filters = ['member', 'uniqueMember'].map((attribute) => new EqualityFilter({ attribute, value: dn }))
    const entries = await tolerantSearch(() =>
      client.search(baseDn, {
        scope: 'sub',
        derefAliases: 'never',
        filter: new OrFilter({ filters }),
        attributes: ['1.1'],
        timeLimit: 5,
      }),
    )
    return entries.map((entry) => entry.dn)
  }
}

/** A group that is gone or may not be read gives no role; a directory that breaks off gives no login. */
const tolerantSearch = async (search: () => ReturnType<Client['search']>) => {
  try {
    return (await search()).searchEntries
  } catch (problem) {
    if (problem instanceof ResultCodeError) return []
    throw asFailure('groups', problem)
  }
}

/** The highest role that any of the groups gives; undefined where groups say nothing about roles. */
export const roleOfGroups = (
  groupRoles: Directory['groupRoles'],
  groups: readonly string[],
): UserRow['role'] | undefined => {
  if (groupRoles.length === 0) return undefined
  const own = new Set(groups.map(comparableDn))
  const isAdmin = groupRoles.some(({ dn, role }) => role === 'ROLE_ORG_ADMIN' && own.has(comparableDn(dn)))
  return isAdmin ? 'ROLE_ORG_ADMIN' : 'ROLE_USER'
}
