/** A person as a directory describes them. Pure, apart from the search itself. */
import type { Client, Entry } from 'ldapts'
import type { Directory } from './directory.ts'
import { asFailure } from './failures.ts'

export interface DirectoryPerson {
  dn: string
  /** The id that stays when everything else about them changes; undefined where the entry lacks it. */
  subject: string | undefined
  name: string | undefined
  email: string | undefined
  memberOf: string[]
}

const timeLimitSec = 5

/** Names of attributes are compared without case; a directory answers with its own spelling. */
export const valuesOf = (entry: Entry, attribute: string): (string | Buffer)[] => {
  const wanted = attribute.toLowerCase()
  const [, found = []] = Object.entries(entry).find(([name]) => name.toLowerCase() === wanted) ?? []
  return Array.isArray(found) ? found : [found]
}

export const textsOf = (entry: Entry, attribute: string): string[] =>
  valuesOf(entry, attribute).filter((value) => typeof value === 'string')

/** Identifiers are text in some directories and sixteen bytes in others; bytes may look like text by accident. */
export const subjectOf = (value: string | Buffer): string => {
  const bytes = Buffer.from(value)
  const text = bytes.toString('latin1')
  return /^[\x21-\x7e]{1,200}$/.test(text) ? text : `hex:${bytes.subarray(0, 128).toString('hex')}`
}

const asPerson = (entry: Entry, { attributes }: Directory): DirectoryPerson => {
  const [unique] = valuesOf(entry, attributes.uniqueId)
  return {
    dn: entry.dn,
    subject: unique === undefined || unique.length === 0 ? undefined : subjectOf(unique),
    name: textsOf(entry, attributes.name)[0],
    email: textsOf(entry, attributes.email)[0],
    memberOf: attributes.memberOf === '' ? [] : textsOf(entry, attributes.memberOf),
  }
}

/** Everybody the login could mean, two at most: more than one is as good as none. */
export const findPeople = async (client: Client, directory: Directory, login: string): Promise<DirectoryPerson[]> => {
  const { name, email, uniqueId, memberOf } = directory.attributes
  try {
    const { searchEntries } = await client.search(directory.baseDn, {
      scope: 'sub',
      derefAliases: 'never',
      filter: directory.filterFor(login),
      sizeLimit: 2,
      timeLimit: timeLimitSec,
      attributes: [name, email, uniqueId, ...(memberOf === '' ? [] : [memberOf])],
    })
    return searchEntries.map((entry) => asPerson(entry, directory))
  } catch (problem) {
    throw asFailure('search', problem)
  }
}
