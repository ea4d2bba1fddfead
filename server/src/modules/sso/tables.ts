/** The tables this module owns. */
import type { Generated } from 'kysely'

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

export interface SsoSyncStatesTable {
  organizationId: string
  /** Of the people there, as the last pass read them. Null: a pass is due. */
  digest: Generated<string | null>
  /** Changes on our side. */
  changes: Generated<number>
  passedAt: Generated<Date | null>
  /** A pass is queued or under way since. */
  requestedAt: Generated<Date | null>
  /** Passes in a row that failed or left something out. */
  tries: Generated<number>
  retryAt: Generated<Date | null>
}

interface SsoSweepsTable {
  onlyRow: Generated<boolean>
  begunAt: Date
  endedAt: Generated<Date | null>
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
    ssoSyncStates: SsoSyncStatesTable
    ssoSweeps: SsoSweepsTable
  }
}
