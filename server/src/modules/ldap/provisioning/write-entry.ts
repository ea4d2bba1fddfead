/** Brings one entry to where it belongs: found by its UUID, renamed when our name changed, made when there is none. */
import type { Client, Entry } from 'ldapts'
import { childOf, rdnOf } from '../dn.ts'
import { entryName } from '../entry-name.ts'
import { textsOf } from '../person.ts'
import type { EntryKind } from '../tables.ts'
import { type Attributes, findByUuid, markOf, readEntry, tryAdd, tryRename, uuidOf } from './entries.ts'
import type { Records } from './records.ts'

export interface Pass {
  client: Client
  records: Records
  baseDn: string
  /** Entries below the company, by UUID. */
  known: Map<string, Entry>
}

interface Wish {
  kind: EntryKind
  subjectId: string
  parentDn: string
  rdnType: 'ou' | 'cn' | 'uid'
  /** Our name for it. The entry's own may get a number behind it. */
  name: string
  attributes: Attributes
}

const mostNumbers = 200

export const writeEntry = async (pass: Pass, wish: Wish): Promise<Entry> => {
  const record = pass.records.find(wish.kind, wish.subjectId)
  const entry = record && (await findRecorded(pass, record.entryUuid))
  if (!entry) return makeEntry(pass, wish)
  return record.sourceName === wish.name ? entry : renameEntry(pass, entry, wish)
}

export const findRecorded = async ({ client, known, baseDn }: Pass, uuid: string): Promise<Entry | undefined> =>
  known.get(uuid) ?? (await findByUuid(client, baseDn, uuid))

/** Names to try: the plain one first, then with numbers. */
function* namesFor(wish: Wish): Generator<string> {
  for (let number = 1; number <= mostNumbers; number += 1) {
    const name = entryName(wish.name, number)
    if (name !== undefined) yield name
  }
}

const noNameFor = ({ kind, subjectId }: Wish) => new Error(`There is no free name for the ${kind} ${subjectId}.`)

const makeEntry = async (pass: Pass, wish: Wish): Promise<Entry> => {
  const { client } = pass
  const attributes = { ...wish.attributes, description: [markOf(wish.subjectId)] }
  for (const name of namesFor(wish)) {
    const dn = childOf(wish.parentDn, wish.rdnType, name)
    const isNew = await tryAdd(client, dn, { ...attributes, [wish.rdnType]: [name] })
    const entry = await readEntry(client, dn)
    if (!entry) throw new Error('The bind DN may write entries, but not read them.')
    if (!isNew && !isOurs(entry, wish)) continue
    return remember(pass, entry, { wish, name })
  }
  throw noNameFor(wish)
}

/**
 * Made by an earlier pass that broke off before it could write it down. A container inside the company's own unit is ours,
 * no matter who made it.
 */
const isOurs = (entry: Entry, { kind, subjectId }: Wish): boolean => {
  const isUnit = textsOf(entry, 'objectClass').some((name) => name.toLowerCase() === 'organizationalunit')
  if (kind === 'people' || kind === 'groups' || kind === 'departments') return isUnit
  return textsOf(entry, 'description').includes(markOf(subjectId))
}

const renameEntry = async (pass: Pass, entry: Entry, wish: Wish): Promise<Entry> => {
  for (const name of namesFor(wish)) {
    const newRdn = rdnOf(wish.rdnType, name)
    if (!(await tryRename(pass.client, entry.dn, newRdn))) continue
    const renamed = await findByUuid(pass.client, pass.baseDn, uuidOf(entry))
    if (!renamed) throw new Error('a renamed entry is gone')
    return remember(pass, renamed, { wish, name })
  }
  throw noNameFor(wish)
}

const remember = async (pass: Pass, entry: Entry, { wish, name }: { wish: Wish; name: string }): Promise<Entry> => {
  const { kind, subjectId } = wish
  await pass.records.save({ kind, subjectId, entryUuid: uuidOf(entry), sourceName: wish.name, entryName: name })
  pass.known.set(uuidOf(entry), entry)
  return entry
}
