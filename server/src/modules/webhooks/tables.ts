/** The tables of webhooks. Only `queries.ts` names them. */
export interface WebhookEndpointsTable {
  id: string
  scopeId: string
  url: string
  description: string
  /** Empty: all. */
  eventTypes: string[]
  enabled: boolean
  disabledReason: string | null
  sealedSecret: string
  sealedOldSecret: string | null
  oldSecretEndsAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface Attempt {
  at: string
  /** The HTTP status of the answer; null if there was none. */
  status: number | null
  error: string | null
  durationMs: number
}

export interface WebhookDeliveriesTable {
  id: string
  endpointId: string
  type: string
  body: string
  state: 'PENDING' | 'DELIVERED' | 'FAILED'
  /** Since it was created or replayed. */
  tries: number
  attempts: Attempt[]
  nextAttemptAt: Date | null
  leaseUntil: Date | null
  epoch: number
  createdAt: Date
  endedAt: Date | null
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    webhookEndpoints: WebhookEndpointsTable
    webhookDeliveries: WebhookDeliveriesTable
  }
}
