/** Reading and changing entries of the provisioning directory, each step safe to repeat. */
import {
  AlreadyExistsError,
  Attribute,
  Change,
  type Client,
  type Entry,
  EqualityFilter,
  NoSuchObjectError,
  NotAllowedOnNonLeafError,
} from 'ldapts'
import { comparableDn } from '../dn.ts'
import { textsOf } from '../person.ts'

/** Our mark on an entry: by it we know one that we made but had no time to write down. */
export const markOf = (subjectId: string): string => `chancery:${subjectId}`

const readAttributes = ['entryUUID', 'objectClass', 'description', 'cn', 'sn', 'mail', 'ou', 'member']

export const uuidOf = (entry: Entry): string => textsOf(entry, 'entryUUID')[0] ?? ''

export const readEntry = async (client: Client, dn: string): Promise<Entry | undefined> => {
  try {
    const { searchEntries } = await client.search(dn, { scope: 'base', attributes: readAttributes })
    return searchEntries[0]
  } catch (problem) {
    if (problem instanceof NoSuchObjectError) return undefined
    throw problem
  }
}

/** Wherever somebody moved it below the base. */
export const findByUuid = async (client: Client, baseDn: string, uuid: string): Promise<Entry | undefined> => {
  const filter = new EqualityFilter({ attribute: 'entryUUID', value: uuid })
  const { searchEntries } = await client.search(baseDn, { scope: 'sub', filter, attributes: readAttributes })
  return searchEntries[0]
}

/** Everything below, by UUID; one search instead of one for each entry. Group members are read where needed. */
export const listByUuid = async (client: Client, dn: string): Promise<Map<string, Entry>> => {
  const attributes = readAttributes.filter((name) => name !== 'member')
  const { searchEntries } = await client.search(dn, { scope: 'sub', attributes, paged: { pageSize: 500 } })
  return new Map(searchEntries.map((entry) => [uuidOf(entry), entry]))
}

export type Attributes = Record<string, string[]>

/** False where the name is taken. */
export const tryAdd = async (client: Client, dn: string, attributes: Attributes): Promise<boolean> => {
  const filled = Object.fromEntries(Object.entries(attributes).filter(([, values]) => values.length > 0))
  return unlessTaken(() => client.add(dn, filled))
}

/** False where the name is taken. The old name goes, also as a value. */
export const tryRename = (client: Client, dn: string, newRdn: string): Promise<boolean> =>
  unlessTaken(() => client.modifyDN(dn, newRdn))

const unlessTaken = async (work: () => Promise<void>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (problem) {
    if (problem instanceof AlreadyExistsError) return false
    throw problem
  }
}

/** `prepared` where others have put something below it: that is theirs. */
export const removeEntry = async (client: Client, dn: string): Promise<'gone' | 'kept'> => {
  try {
    await client.del(dn)
    return 'gone'
  } catch (problem) {
    if (problem instanceof NoSuchObjectError) return 'gone'
    if (problem instanceof NotAllowedOnNonLeafError) return 'kept'
    throw problem
  }
}

/** Makes these attributes hold exactly these values; others are not ours. */
export const setAttributes = async (client: Client, entry: Entry, wanted: Attributes): Promise<void> => {
  const changes = Object.entries(wanted)
    .filter(([type, values]) => !isSameSet(type, textsOf(entry, type), values))
    .map(([type, values]) => new Change({ operation: 'replace', modification: new Attribute({ type, values }) }))
  if (changes.length > 0) await client.modify(entry.dn, changes)
}

const isSameSet = (type: string, found: string[], wanted: string[]): boolean => {
  const comparable = (value: string) => (type === 'member' ? (comparableDn(value) ?? value) : value)
  const have = new Set(found.map(comparable))
  return have.size === new Set(wanted.map(comparable)).size && wanted.every((value) => have.has(comparable(value)))
}
