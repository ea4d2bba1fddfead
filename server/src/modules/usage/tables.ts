/** The tables this module owns. */
import type { PrincipalKind } from '#kernel/http/actor.ts'

export interface UsageDaysTable {
  /** Such as 2026-01-31, in UTC. */
  day: string
  principalKind: PrincipalKind
  principalId: string
  organizationId: string
  keyId: string
  model: string
  requests: number
  failures: number
  promptTokens: number
  completionTokens: number
}

export interface UsageLimitsTable {
  id: string
  subjectType: 'everyone' | 'user' | 'group' | 'organization' | 'key'
  subjectId: string
  setBy: 'platform' | 'organization'
  requestsPerMinute: number | null
  tokensPerDay: number | null
  tokensPerMonth: number | null
  createdAt: Date
  updatedAt: Date
}

interface UsageReservationsTable {
  id: string
  account: string
  nodeId: string
  tokens: number
  expiresAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    usageDays: UsageDaysTable
    usageLimits: UsageLimitsTable
    usageReservations: UsageReservationsTable
  }
}
