/** The tables this module owns. */
import type { Generated } from 'kysely'

export interface ScimTokensTable {
  id: string
  organizationId: string
  /** One of two. */
  slot: number
  name: string
  tokenHash: string
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

export interface ScimPeopleTable {
  userId: string
  organizationId: string
  externalId: string | null
  /** Null where it is the account's email. */
  userName: string | null
  givenName: string | null
  familyName: string | null
  changedAt: Date
  /** The directory has deactivated them, and nobody else has since. */
  suspendedAt: Date | null
  /** To the directory they no longer exist. */
  removedAt: Date | null
}

export interface ScimGroupsTable {
  unitId: string
  organizationId: string
  externalId: string | null
  changedAt: Date
}

export interface ScimSettingsTable {
  organizationId: string
  adminGroupId: Generated<string | null>
  heldAt: Generated<Date | null>
  allowedUntil: Generated<Date | null>
  refusedAt: Generated<Date | null>
  refusedCall: Generated<string | null>
  refusal: Generated<string | null>
}

export interface ScimAdminsTable {
  userId: string
  organizationId: string
  grantedAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    scimTokens: ScimTokensTable
    scimPeople: ScimPeopleTable
    scimGroups: ScimGroupsTable
    scimSettings: ScimSettingsTable
    scimAdmins: ScimAdminsTable
  }
}
