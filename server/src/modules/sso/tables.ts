/** The tables this module owns. */

interface SsoUsedTable {
  fingerprint: string
  expiresAt: Date
}

interface SsoProvisionedTable {
  issuer: string
  subject: string
  organizationId: string
  createdAt: Date
}

interface SsoSuspensionsTable {
  userId: string
  suspendedAt: Date
}

interface SsoPushesTable {
  userId: string
  changedAt: Date
  /** Null until the provider has been told. */
  pushedAt: Date | null
}

export interface SsoSyncReportsTable {
  id: string
  organizationId: string
  dryRun: boolean
  startedAt: Date
  finishedAt: Date | null
  outcome: 'running' | 'done' | 'refused' | 'failed'
  /** For the organization's administrators: what was refused or left alone, and why. */
  detail: string
  added: number
  updated: number
  deactivated: number
  seen: number
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    ssoUsed: SsoUsedTable
    ssoProvisioned: SsoProvisionedTable
    ssoSuspensions: SsoSuspensionsTable
    ssoPushes: SsoPushesTable
    ssoSyncReports: SsoSyncReportsTable
  }
}
