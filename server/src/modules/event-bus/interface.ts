/** The interface of the event bus for other modules, with the ports they fill. */
import type { Decision } from '@chancery/contract/workflows/events.ts'
import type { Name } from '@chancery/expression'
import type { Db } from '#kernel/db/database.ts'
import type { TestVerdict } from '#kernel/expressions/expressions.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'

export interface EventBus extends Module {
  /** The decision about one event and one subscription; undefined while there is none. */
  findDecisionUnscoped(
    db: Db,
    which: { eventId: string; subscriptionId: string },
  ): Promise<{ decision: string; runId: string | null } | undefined>
  /** True while nothing has been decided for an event. Read before decisions, it says that none will be added. */
  isQueuedUnscoped(db: Db, eventId: string): Promise<boolean>
  /**
   * Publishes in the caller's transaction: events are stored and queued for dispatch when it commits. Call `wake` after
   * the commit. An event whose id already exists is not stored again (`duplicate`), so derived ids make publishing
   * exactly-once.
   */
  publish(tx: Db, events: readonly NewEvent[]): Promise<PublishedEvent[]>
  /** Publishes in a transaction of its own, shared with others that publish at the same moment. */
  ingest(event: NewEvent): Promise<PublishedEvent>
  /** Dispatches now instead of at the next poll: events of these scopes, or whatever there is. */
  wake(scopeIds?: readonly string[]): void
  /** Port: starts runs for events. */
  registerRunStarter(starter: RunStarter): void
  /** Port: called in the transaction of every dispatch, for nodes that wait for an event. */
  registerListener(listener: EventListener): void

  /** Checks and stores a subscription in the caller's transaction. A bad filter is refused with line and column. */
  createSubscription(tx: Db, subscription: NewSubscription): Promise<Subscription>
  updateSubscription(tx: Db, id: string, patch: Partial<NewSubscription>): Promise<Subscription>
  deleteSubscription(tx: Db, id: string): Promise<void>
  /** Gives it to another scope, as it is. */
  moveSubscription(tx: Db, id: string, scopeId: string): Promise<void>
  listSubscriptionsUnscoped(db: Db, workflowIds: readonly string[]): Promise<Subscription[]>
  /** Events of one process since a point in time, in order: for a node that starts to wait after they were published. */
  listSinceUnscoped(db: Db, query: SinceQuery): Promise<StoredEvent[]>
  /** An event that the actor can see. */
  findEvent(db: Db, actor: Actor, eventId: string): Promise<StoredEvent | undefined>
  /** The newest events the actor can see, to try expressions on. */
  listRecent(db: Db, actor: Actor, query: { eventType?: string; limit: number }): Promise<StoredEvent[]>
}

export interface NewEvent {
  /** Generated unless the caller derives it: then it is not of version 7, so that one looks whether it exists already. */
  eventId?: string
  scopeId: string
  eventType: string
  source: string
  /** Generated if absent or empty. */
  correlationId?: string | null
  userId: string | null
  payload: unknown
  /** Now, unless it tells of the past. */
  publishedAt?: Date
  /** The publisher's own key. Remembered for 24 hours. */
  idempotency?: { publisher: string; key: string } | undefined
  /** Set for events published by runs. */
  cause?: Cause | undefined
}

/** The runs that led to an event. */
export interface Cause {
  runId: string
  hop: number
  chain: readonly string[]
  /** Null: the event is the first of its process. */
  rootEventId: string | null
}

/** Enough of an event to tell whether a node waits for it. */
export interface EventHead {
  eventId: string
  seq: number
  scopeId: string
  eventType: string
  correlationId: string
}

/** The events of one dispatch. No node waits for most of them, so a listener reads only what it needs, step by step. */
export interface Dispatched {
  eventTypes: readonly string[]
  listHeads(eventTypes: readonly string[]): Promise<EventHead[]>
  read(heads: readonly EventHead[]): Promise<StoredEvent[]>
  /** Only for the waits of this tenant: it is its turn. */
  scopeId: string | undefined
  /** The listener leaves to a tenant's turn what is beyond its share, and all events after it. */
  postponed: {
    /** Looks up which of these tenants have events waiting already. */
    know(scopeIds: readonly string[]): Promise<void>
    has(scopeId: string, seq: number): boolean
    add(scopeId: string, seq: number): void
  }
  /** Tests filters within the shares of their tenants. */
  testFilters: TestMetered
  /** To be called every few seconds where no other query is made. Rejects when the dispatch was ended. */
  renewLease(): Promise<void>
}

interface MeteredRequest {
  names: readonly Name[]
  /** Each group tests its texts on the same values; each text belongs to a tenant. */
  groups: readonly { values: readonly unknown[]; texts: readonly string[]; scopeIds: readonly string[] }[]
}

/** One verdict for each text, groups in order; undefined for what wasn't tested because the tenant's time was used up. */
export type TestMetered = (request: MeteredRequest) => Promise<(TestVerdict | undefined)[]>

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
  /** After this event, or from this time on. */
  since: { eventId: string } | { time: Date }
  limit: number
}

/** The reply to the publisher. */
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
  /** Set when its filter kept failing: it gets no events until it is changed. */
  pausedAt: Date | null
  pausedReason: string | null
}

/** Called in the dispatch's transaction with subscriptions that were just paused. */
export type PauseListener = (tx: Db, subscriptions: readonly Subscription[]) => Promise<void>

export interface Firing {
  event: StoredEvent
  subscription: Subscription
}

export type FindWorkflowNames = (db: Db, workflowIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Runs that succeeded, and those that were cancelled or deleted, are left out. */
export type RunProgress = 'active' | 'failed'
export type FindRunProgress = (db: Db, runIds: readonly string[]) => Promise<ReadonlyMap<string, RunProgress>>

/** The outcome of a firing. Results are in the order of the firings. */
export interface FiringResult {
  decision: Extract<Decision, 'fired' | 'skipped_active_run' | 'workflow_not_published' | 'over_quota'>
  runId: string | null
  reason: string | null
}

export interface RunStarter {
  /** In the transaction of the dispatch: reads each workflow's live snapshot, inserts the runs. */
  start(tx: Db, firings: readonly Firing[]): Promise<FiringResult[]>
  /** After that transaction has committed. */
  onCommitted(tx: Db): void
  /** After it was rolled back instead. */
  onRolledBack?(tx: Db): void
}
