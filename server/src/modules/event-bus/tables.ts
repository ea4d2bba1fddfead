/**
 * The tables this module owns. `dispatch_claim` and `subscription_changes` are only there for nodes of the previous
 * release, which ask for them during an upgrade.
 */
import type { Decision } from '@chancery/contract/workflows/events.ts'
import type { Generated } from 'kysely'

export interface EventsTable {
  eventId: string
  /** The id of the transaction that published it, as text. */
  xid: Generated<string>
  seq: Generated<number>
  scopeId: string
  eventType: string
  source: string
  correlationId: string
  userId: string | null
  payload: unknown
  /** Uncompressed size; null for events stored before sizes were recorded. */
  payloadBytes: number | null
  publishedAt: Date
  hop: number
  chain: string[]
  rootEventId: string
  causationRunId: string | null
}

export interface EventKeysTable {
  publisher: string
  key: string
  eventId: string
  expiresAt: Date
}

export interface EventBatchesTable {
  seq: number
  seqs: string[]
  eventTypes: string[]
  bytes: number
  /** From its first position to its last. */
  span: number
  lane: Generated<number>
}

export interface EventDispatchesTable {
  seq: number
  eventId: string
  attempts: Generated<number>
  dueAt: Date
  lastError: string | null
  lane: Generated<number>
}

export interface SubscriptionsTable {
  id: string
  scopeId: string
  workflowId: string
  name: string
  eventType: string
  filterExpr: string | null
  concurrency: 'parallel' | 'one_per_correlation'
  allowReentry: boolean
  catalogId: string | null
  spaceId: string | null
  enabled: boolean
  createdAt: Date
  failureScore: Generated<number>
  pausedAt: Generated<Date | null>
  pausedReason: Generated<string | null>
}

export interface PostponedEventsTable {
  lane: number
  scopeId: string
  seq: number
  attempts: Generated<number>
  dueAt: Date
  lastError: string | null
}

export interface EventDeliveriesTable {
  /** The event's position, by which the table is in partitions. */
  seq: Generated<number>
  eventId: string
  subscriptionId: string
  scopeId: string
  subscriptionName: string
  workflowId: string
  correlationId: string
  decision: Decision
  runId: string | null
  reason: string | null
  decidedAt: Date
}

export interface EventDeadLettersTable {
  id: string
  eventId: string
  seq: number
  scopeId: string
  error: string
  attempts: number
  failedAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    events: EventsTable
    eventKeys: EventKeysTable
    eventBatches: EventBatchesTable
    eventDispatches: EventDispatchesTable
    subscriptions: SubscriptionsTable
    postponedEvents: PostponedEventsTable
    eventDeliveries: EventDeliveriesTable
    eventDeadLetters: EventDeadLettersTable
  }
}
