/**
 * The workflows that are run, and the things these use, as runs need them. The module above fills it; `app.ts` passes
 * it on.
 */
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { RawBuilder } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Firing } from '#modules/event-bus/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { LiveVersion } from './new-run.ts'

interface Scoped {
  id: string
  scopeId: string
}

export interface Definitions {
  /** True when the workflow is of the actor's scope. */
  isOwn(db: Db, actor: Actor, workflowId: string): Promise<boolean>
  /** The workflow, if it is. Throws `workflow_not_found`. */
  getOwn(db: Db, actor: Actor, workflowId: string): Promise<{ id: string }>
  /**
   * Keeps workflows from being deleted until the transaction ends, so that a deletion finds and ends the runs it creates.
   * Called before the live versions are read.
   */
  holdUnscoped(tx: Db, workflowIds: readonly string[]): Promise<void>
  /** Only published workflows: they have a live snapshot and weren't rolled back to Draft. */
  findLiveUnscoped(tx: Db, workflowIds: readonly string[]): Promise<Map<string, LiveVersion>>
  /** The graph that a run is pinned to. */
  findGraphUnscoped(db: Db, workflowId: string, hash: string): Promise<StoredGraph | undefined>
  /** A subquery: the ids of all workflows. */
  allIds: RawBuilder<unknown>
  hasCatalogUnscoped(db: Db, catalog: Scoped): Promise<boolean>
  findCatalogUnscoped(db: Db, catalog: Scoped): Promise<StoredCatalog | undefined>
  /** The secrets of stored credentials as they are now, for hiding them in what runs keep. */
  readSecretsUnscoped(wanted: { scopeId: string; ids: readonly string[] }): Promise<string[]>
  /** Adds a stored credential to a request. Throws a NodeFailure when it can't be used. */
  signRequestUnscoped(use: CredentialUse): Promise<SignedRequest>
  /** The webhooks whose own subscriptions these are, by the subscription's id. */
  findWebhooksUnscoped(tx: Db, firings: readonly Firing[]): Promise<ReadonlyMap<string, string>>
}

export interface StoredGraph {
  /** Its secrets are sealed. */
  graph: Graph
  /** A node with its secrets decrypted. */
  open(node: GraphNode): GraphNode
}

export interface StoredCatalog {
  updatedAt: Date
  /** With their keys decrypted: a run must not continue without its credentials, so one that can't be throws. */
  open(): Parameters<Models['openPrivate']>[0]
}

export interface CredentialUse {
  scopeId: string
  credentialId: string
  url: string
  signal: AbortSignal
}

export interface SignedRequest {
  headers: Record<string, string>
  /** Texts that must not be in a run, should the server send them back. */
  secrets: readonly string[]
  /** Called when the server doesn't accept it. True when another attempt can help. */
  onRefused(): Promise<boolean>
}
