/** The tables this module owns. */
import type { LdapSettings } from '@chancery/contract/organizations/ldap.ts'
import type { ColumnType } from 'kysely'

/** The driver would write an array as one of PostgreSQL's own; as text it becomes JSON. */
type JsonColumn<Value> = ColumnType<Value, string, string>

export interface LdapDirectoriesTable {
  organizationId: string
  enabled: boolean
  url: string
  startTls: boolean
  caPem: string
  bindDn: string
  /** Sealed for this organization. */
  bindPassword: string | null
  baseDn: string
  userFilter: string
  attributes: JsonColumn<LdapSettings['attributes']>
  groupRoles: JsonColumn<LdapSettings['groupRoles']>
  autoProvision: boolean
  updatedAt: Date
}

export type EntryKind = 'company' | 'people' | 'groups' | 'departments' | 'person' | 'group' | 'department'

export interface LdapEntriesTable {
  organizationId: string
  kind: EntryKind
  /** The organization, person, group or department it represents; containers represent the organization. */
  subjectId: string
  entryUuid: string
  /** Our name when the entry got its own: while it is the same, the entry is not renamed. */
  sourceName: string
  entryName: string
  updatedAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    ldapDirectories: LdapDirectoriesTable
    ldapEntries: LdapEntriesTable
  }
}
