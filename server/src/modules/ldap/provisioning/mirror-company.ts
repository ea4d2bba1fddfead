/**
 * One pass over one company: afterwards the directory says what our tables said when it began. Every change of ours asks
 * for a pass, and each pass does everything, so one that fails, comes twice or comes late does no harm.
 */
import type { Client } from 'ldapts'
import type { LdapContext } from '../context.ts'
import { childOf } from '../dn.ts'
import { asFailure } from '../failures.ts'
import { bindAsService, converse } from '../wire/conversation.ts'
import { type Company, readCompany } from './company.ts'
import { type Attributes, listByUuid, readEntry, removeEntry, setAttributes, tryAdd } from './entries.ts'
import type { MirrorTarget } from './mirror-target.ts'
import { type Records, readRecordsUnscoped } from './records.ts'
import { findRecorded, type Pass, writeEntry } from './write-entry.ts'

type Deps = Pick<LdapContext, 'db' | 'clock' | 'outbound' | 'log' | 'accounts' | 'organizations'>

/** For whole companies, unlike for one login. */
const limits = { ms: 540_000, bytes: 512 * 1024 * 1024 }

export const mirrorCompany = async (
  deps: Deps,
  target: MirrorTarget,
  { organizationId, signal }: { organizationId: string; signal: AbortSignal },
): Promise<void> => {
  const company = await readCompany(deps, organizationId)
  if (!company) return
  const records = await readRecordsUnscoped(deps, organizationId)
  const { endpoint, service } = target
  try {
    await converse({ outbound: deps.outbound, endpoint, limits, signal }, async (client) => {
      await bindAsService(client, service)
      await mirror(deps, { client, records, target }, company)
    })
  } catch (problem) {
    throw asFailure('search', problem)
  }
}

interface Tools {
  client: Client
  records: Records
  target: MirrorTarget
}

const mirror = async ({ log }: Deps, { client, records, target }: Tools, company: Company): Promise<void> => {
  const unitDn = await writeCompany({ client, records, target }, company)
  const pass: Pass = { client, records, baseDn: target.baseDn, known: await listByUuid(client, unitDn) }
  const container = (kind: 'people' | 'groups' | 'departments', name: string) =>
    writeEntry(pass, { kind, subjectId: company.id, parentDn: unitDn, rdnType: 'ou', name, attributes: unit })
  const people = await container('people', 'People')
  const groups = await container('groups', 'Groups')
  const departments = await container('departments', 'Departments')
  const peopleDns = await writePeople(pass, people.dn, company)
  const placeholder = childOf(unitDn, 'cn', 'placeholder')
  await writeGroups(pass, company, { parentDn: groups.dn, placeholder, peopleDns })
  await writeDepartments(pass, departments.dn, company)
  await removeLeftOvers(pass, company, (dn) => log.warn({ dn }, 'ldap: an entry is left, as others are below it'))
}

const unit: Attributes = { objectClass: ['organizationalUnit'] }

/** `ou=<name>,ou=companies,<base>`; the parent is made with the first company. */
const writeCompany = async ({ client, records, target }: Tools, { id, name }: Company): Promise<string> => {
  const companiesDn = childOf(target.baseDn, 'ou', 'companies')
  if (!(await readEntry(client, companiesDn))) await tryAdd(client, companiesDn, { ...unit, ou: ['companies'] })
  const pass: Pass = { client, records, baseDn: target.baseDn, known: new Map() }
  const wish = { kind: 'company', subjectId: id, parentDn: companiesDn, rdnType: 'ou', name, attributes: unit } as const
  return (await writeEntry(pass, wish)).dn
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

/** Named by our id, which never changes; the address would. A mail attribute takes ASCII alone. */
const writePeople = async (pass: Pass, parentDn: string, { people }: Company): Promise<Map<string, string>> => {
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
    const entry = await writeEntry(pass, { ...wish, attributes: { objectClass, ...attributes } })
    await setAttributes(pass.client, entry, attributes)
    dns.set(id, entry.dn)
  }
  return dns
}

interface GroupPlace {
  parentDn: string
  /** A group must have a member; this entry represents no person. */
  placeholder: string
  peopleDns: Map<string, string>
}

const writeGroups = async (pass: Pass, { groups }: Company, target: GroupPlace): Promise<void> => {
  const { parentDn, placeholder, peopleDns } = target
  for (const { id, name, memberIds } of groups) {
    const dns = memberIds.flatMap((memberId) => peopleDns.get(memberId) ?? [])
    const member = dns.length > 0 ? dns : [placeholder]
    const wish = { kind: 'group', subjectId: id, parentDn, rdnType: 'cn', name } as const
    const { dn } = await writeEntry(pass, { ...wish, attributes: { objectClass: ['groupOfNames'], member } })
    const entry = await readEntry(pass.client, dn)
    if (entry) await setAttributes(pass.client, entry, { member })
  }
}

const writeDepartments = async (pass: Pass, parentDn: string, { departments }: Company): Promise<void> => {
  for (const { id, name } of departments)
    await writeEntry(pass, { kind: 'department', subjectId: id, parentDn, rdnType: 'ou', name, attributes: unit })
}

/** Only what we made goes. Groups before people, so that no group is left without a member for a moment. */
const removeLeftOvers = async (pass: Pass, company: Company, onKept: (dn: string) => void): Promise<void> => {
  const wanted = { person: company.people, group: company.groups, department: company.departments }
  for (const kind of ['group', 'department', 'person'] as const) {
    const ids = new Set(wanted[kind].map(({ id }) => id))
    for (const record of pass.records.list()) {
      if (record.kind !== kind || ids.has(record.subjectId)) continue
      const entry = await findRecorded(pass, record.entryUuid)
      if (entry && (await removeEntry(pass.client, entry.dn)) === 'kept') onKept(entry.dn)
      await pass.records.forget(record)
    }
  }
}
