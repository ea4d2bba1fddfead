/**
 * One pass over one company: afterwards the directory says what our tables said when it began. Every change of ours asks
 * for a pass, and each pass does everything, so one that fails, comes twice or comes late does no harm.
 */
import type { Client } from 'ldapts'
import type { Kernel } from '#kernel/kernel.ts'
import { bindAsService, converse } from '../conversation.ts'
import { childOf } from '../dn.ts'
import { asFailure } from '../failures.ts'
import { type Company, readCompany } from './company.ts'
import { type Attributes, listByUuid, readEntry, removeEntry, setAttributes, tryAdd } from './entries.ts'
import type { MirrorPlace } from './mirror-place.ts'
import { findRecorded, type Pass, placeEntry } from './place-entry.ts'
import { type Records, readRecordsUnscoped } from './records.ts'

type Deps = Pick<Kernel, 'db' | 'clock' | 'outbound' | 'log'>

/** For whole companies, unlike for one login. */
const limits = { ms: 540_000, bytes: 512 * 1024 * 1024 }

export const mirrorCompany = async (
  deps: Deps,
  place: MirrorPlace,
  { organizationId, signal }: { organizationId: string; signal: AbortSignal },
): Promise<void> => {
  const company = await readCompany(deps.db, organizationId)
  if (!company) return
  const records = await readRecordsUnscoped(deps, organizationId)
  const { endpoint, service } = place
  try {
    await converse({ outbound: deps.outbound, endpoint, limits, signal }, async (client) => {
      await bindAsService(client, service)
      await mirror(deps, { client, records, place }, company)
    })
  } catch (problem) {
    throw asFailure('search', problem)
  }
}

interface Tools {
  client: Client
  records: Records
  place: MirrorPlace
}

const mirror = async ({ log }: Deps, { client, records, place }: Tools, company: Company): Promise<void> => {
  const unitDn = await placeCompany({ client, records, place }, company)
  const pass: Pass = { client, records, baseDn: place.baseDn, known: await listByUuid(client, unitDn) }
  const container = (kind: 'people' | 'groups' | 'departments', name: string) =>
    placeEntry(pass, { kind, subjectId: company.id, parentDn: unitDn, rdnType: 'ou', name, attributes: unit })
  const people = await container('people', 'People')
  const groups = await container('groups', 'Groups')
  const departments = await container('departments', 'Departments')
  const peopleDns = await placePeople(pass, people.dn, company)
  const placeholder = childOf(unitDn, 'cn', 'placeholder')
  await placeGroups(pass, company, { parentDn: groups.dn, placeholder, peopleDns })
  await placeDepartments(pass, departments.dn, company)
  await removeLeftOvers(pass, company, (dn) => log.warn({ dn }, 'ldap: an entry is left, as others are below it'))
}

const unit: Attributes = { objectClass: ['organizationalUnit'] }

/** `ou=<name>,ou=companies,<base>`; the parent is made with the first company. */
const placeCompany = async ({ client, records, place }: Tools, { id, name }: Company): Promise<string> => {
  const companiesDn = childOf(place.baseDn, 'ou', 'companies')
  if (!(await readEntry(client, companiesDn))) await tryAdd(client, companiesDn, { ...unit, ou: ['companies'] })
  const pass: Pass = { client, records, baseDn: place.baseDn, known: new Map() }
  const wish = { kind: 'company', subjectId: id, parentDn: companiesDn, rdnType: 'ou', name, attributes: unit } as const
  return (await placeEntry(pass, wish)).dn
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

/** Named by our id, which never changes; the address would. A mail attribute takes ASCII alone. */
const placePeople = async (pass: Pass, parentDn: string, { people }: Company): Promise<Map<string, string>> => {
  const dns = new Map<string, string>()
  for (const { id, name, email, departments } of people) {
    const attributes: Attributes = {
      cn: [name],
      sn: [name.split(/\s+/).at(-1) ?? name],
      mail: isAscii(email) ? [email] : [],
      ou: departments,
    }
    const objectClass = ['inetOrgPerson']
    const wish = { kind: 'person', subjectId: id, parentDn, rdnType: 'uid', name: id } as const
    const entry = await placeEntry(pass, { ...wish, attributes: { objectClass, ...attributes } })
    await setAttributes(pass.client, entry, attributes)
    dns.set(id, entry.dn)
  }
  return dns
}

interface GroupPlace {
  parentDn: string
  /** A group must list somebody; this stands for nobody. */
  placeholder: string
  peopleDns: Map<string, string>
}

const placeGroups = async (pass: Pass, { groups }: Company, place: GroupPlace): Promise<void> => {
  const { parentDn, placeholder, peopleDns } = place
  for (const { id, name, memberIds } of groups) {
    const dns = memberIds.flatMap((memberId) => peopleDns.get(memberId) ?? [])
    const member = dns.length > 0 ? dns : [placeholder]
    const wish = { kind: 'group', subjectId: id, parentDn, rdnType: 'cn', name } as const
    const { dn } = await placeEntry(pass, { ...wish, attributes: { objectClass: ['groupOfNames'], member } })
    const entry = await readEntry(pass.client, dn)
    if (entry) await setAttributes(pass.client, entry, { member })
  }
}

const placeDepartments = async (pass: Pass, parentDn: string, { departments }: Company): Promise<void> => {
  for (const { id, name } of departments)
    await placeEntry(pass, { kind: 'department', subjectId: id, parentDn, rdnType: 'ou', name, attributes: unit })
}

/** Only what we made goes. Groups before people, so that no group is left without a member for a moment. */
const removeLeftOvers = async (pass: Pass, company: Company, onKept: (dn: string) => void): Promise<void> => {
  const wanted = { person: company.people, group: company.groups, department: company.departments }
  for (const kind of ['group', 'department', 'person'] as const) {
    if (kind === 'person' && !company.hasEverybody) continue
    const ids = new Set(wanted[kind].map(({ id }) => id))
    for (const record of pass.records.list()) {
      if (record.kind !== kind || ids.has(record.subjectId)) continue
      const entry = await findRecorded(pass, record.entryUuid)
      if (entry && (await removeEntry(pass.client, entry.dn)) === 'kept') onKept(entry.dn)
      await pass.records.forget(record)
    }
  }
}
