/** The tables this module owns. */
import type { FactorPolicy } from '@chancery/contract/accounts/factors.ts'

export interface OrganizationsTable {
  id: string
  name: string
  /** A short handle for people; unique, and free to change. */
  code: string
  authProvider: 'NATIVE' | 'SSO'
  loginOtp: boolean
  /** Members may open shared chats to anybody with the link. */
  publicChatLinks: boolean
  plan: string
  trialEndsAt: Date | null
  maxMembers: number
  maxDocumentsPerMonth: number
  maxStorageBytes: number
  /** False cuts off everybody who belongs to it. */
  active: boolean
  factorPolicy: FactorPolicy
  /** Until then it is only announced; null: at once. */
  factorPolicyFrom: Date | null
  /** Its people's browsers may be left without a second step for a while. */
  remembersBrowsers: boolean
  createdAt: Date
}

export interface OrganizationDomainsTable {
  domain: string
  organizationId: string
  /** Null while the organization only claims it. Then it decides nothing. */
  verifiedAt: Date | null
  /** The text that the TXT record must hold; null where a platform admin entered the domain. */
  txtToken: string | null
  createdAt: Date
}

export interface InvitationsTable {
  id: string
  organizationId: string
  email: string
  name: string | null
  role: 'ROLE_USER' | 'ROLE_ORG_ADMIN'
  /** Null where the person enters through the company's own login. */
  tokenHash: string | null
  /** Of the link that an admin copied last; it proves no address. */
  copiedTokenHash: string | null
  mailSent: boolean
  /** The last email with the link; null where none of ours was sent. */
  mailId: string | null
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

export type UnitKind = 'group' | 'department'

export interface UnitsTable {
  id: string
  organizationId: string
  kind: UnitKind
  name: string
  /** The name without regard to case: no two of a kind share one. */
  nameKey: string
  createdAt: Date
}

interface UnitMembersTable {
  unitId: string
  userId: string
}

export interface AccessGrantsTable {
  /** `model`, `tool_server`, …: each module its own word. */
  resourceType: string
  resourceId: string
  principalType: 'user' | 'group' | 'organization'
  principalId: string
  permission: 'read' | 'write'
  createdAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    organizations: OrganizationsTable
    organizationDomains: OrganizationDomainsTable
    invitations: InvitationsTable
    units: UnitsTable
    unitMembers: UnitMembersTable
    accessGrants: AccessGrantsTable
  }
}
