/** What workflows use of the bus, and the port they fill. */
import type { Decision } from '@chancery/contract/events.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'

export interface EventBus extends Module {
  /**
   * Publishes in the caller's transaction: the event and its dispatch exist exactly when that commits. Call `wake` after
   * the commit. An event whose id exists already is left alone (`duplicate`): ids that are derived make publishing
   * exactly-once.
   */
  publish(tx: Db, events: readonly NewEvent[]): Promise<PublishedEvent[]>
  /** Publishes on its own, together with whoever publishes at the same moment: one commit for many. */
  ingest(event: NewEvent): Promise<PublishedEvent>
  /** Looks for undispatched events now instead of at the next poll. */
  wake(): void
  /** Port: who starts runs for events. */
  registerRunStarter(starter: RunStarter): void
  /** Port: told of every dispatch, in its transaction (nodes that wait for an event). */
  registerListener(listener: EventListener): void

  /** Port: how workflows are called, for the list of an event's decisions. Without one their names are empty. */
  registerWorkflowNames(find: FindWorkflowNames): void

  /** Subscriptions are checked and written in the caller's transaction. A bad filter is refused with line and column. */
  createSubscription(tx: Db, subscription: NewSubscription): Promise<Subscription>
  updateSubscription(tx: Db, id: string, patch: Partial<NewSubscription>): Promise<Subscription>
  deleteSubscription(tx: Db, id: string): Promise<void>
  listSubscriptionsUnscoped(db: Db, workflowIds: readonly string[]): Promise<Subscription[]>
  /** Events of one process since a moment, in their order: for whoever begins to wait late. */
  listSinceUnscoped(db: Db, query: SinceQuery): Promise<StoredEvent[]>
  /** The newest events the actor may see, for trying expressions. */
  listRecent(db: Db, actor: Actor, query: { eventType?: string; limit: number }): Promise<StoredEvent[]>
}

export interface NewEvent {
  /** Made by the server unless derived by the caller. */
  eventId?: string
  scopeId: string
  eventType: string
  source: string
  /** Absent or empty: one is made. */
  correlationId?: string | null
  userId: string | null
  payload: unknown
  /** The publisher's own key, with who the publisher is. Kept for 24 hours. */
  idempotency?: { publisher: string; key: string } | undefined
  /** Set for events that a run publishes. */
  cause?: Cause | undefined
}

/** Through which runs an event came about. */
export interface Cause {
  runId: string
  hop: number
  chain: readonly string[]
  /** Null: the event is the first of its process. */
  rootEventId: string | null
}

/** What is enough to tell whether anybody waits for an event. */
export interface EventHead {
  eventId: string
  seq: number
  scopeId: string
  eventType: string
  correlationId: string
}

/** Most events are waited for by nobody, so whoever listens asks for what it needs of them, step by step. */
export interface Dispatched {
  eventTypes: readonly string[]
  listHeads(eventTypes: readonly string[]): Promise<EventHead[]>
  read(heads: readonly EventHead[]): Promise<StoredEvent[]>
}

export type EventListener = (tx: Db, dispatched: Dispatched) => Promise<void>

export interface StoredEvent extends EventHead {
  source: string
  userId: string | null
  payload: unknown
  publishedAt: Date
  hop: number
  chain: readonly string[]
  rootEventId: string
  causationRunId: string | null
}

export interface SinceQuery {
  /** Events of this scope and of the whole instance. */
  scopeId: string
  correlationId: string
  eventType: string
  /** Behind this event, or from this time on. */
  since: { eventId: string } | { time: Date }
  limit: number
}

/** What its publisher is told of it. */
export type AcceptedEvent = Pick<StoredEvent, 'eventId' | 'eventType' | 'source' | 'correlationId' | 'publishedAt'>

export interface PublishedEvent {
  event: AcceptedEvent
  duplicate: boolean
}

export interface NewSubscription {
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
}

export interface Subscription extends NewSubscription {
  id: string
  createdAt: Date
}

export interface Firing {
  event: StoredEvent
  subscription: Subscription
}

export type FindWorkflowNames = (db: Db, workflowIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** What became of a firing. Its order is that of the firings. */
export interface FiringResult {
  decision: Extract<Decision, 'fired' | 'skipped_active_run' | 'workflow_not_published'>
  runId: string | null
  reason: string | null
}

export interface RunStarter {
  /** In the transaction of the dispatch: reads each workflow's live snapshot, inserts the runs. */
  start(tx: Db, firings: readonly Firing[]): Promise<FiringResult[]>
  /** After that transaction committed. */
  onCommitted(): void
}
