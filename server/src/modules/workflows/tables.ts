/** Tables of definitions, versions, catalogs, spaces and triggers. */

import type { ModelPrices } from '@chancery/contract/models/prices.ts'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Credential, CredentialKind } from '@chancery/contract/workflows/http-credentials.ts'
import type { WebhookScheme } from '@chancery/contract/workflows/triggers.ts'
import type { VersionItem, WorkflowStatus } from '@chancery/contract/workflows/workflows.ts'

declare const sealed: unique symbol
/** A graph whose secrets are encrypted: the only kind that is stored, and never one that is shown. */
export type SealedGraph = Graph & { readonly [sealed]: true }

export interface WorkflowsTable {
  id: string
  scopeId: string
  name: string
  description: string
  status: WorkflowStatus
  graph: SealedGraph
  /** The hash of the graph with decrypted secrets, so that encrypting them again doesn't change it. */
  graphHash: string
  /** Started when a run of this workflow fails, since then. */
  errorWorkflowId: string | null
  errorWorkflowSince: Date | null
  liveVersionId: string | null
  /** False after a rollback: the live pointer stays, but nothing starts until the next publication. */
  isLive: boolean
  lastVersion: number
  spaceId: string | null
  authorId: string
  authorName: string
  /** On whose behalf triggered runs act; null is the owner of the scope. */
  runAsUserId: string | null
  runAsName: string | null
  reviewNotes: string | null
  /** The last review step; null when this graph has had none. */
  reviewById: string | null
  reviewByName: string | null
  reviewedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface WorkflowGraphsTable {
  workflowId: string
  hash: string
  graph: SealedGraph
}

export interface WorkflowVersionsTable {
  id: string
  workflowId: string
  version: number
  type: VersionItem['type']
  graphHash: string
  authorId: string
  authorName: string
  notes: string
  /** The version that a rollback restored, where this version saved the graph it replaced. */
  rolledBackTo: number | null
  createdAt: Date
}

export interface CatalogEntry {
  name: string
  type: 'upstream' | 'compat'
  url: string
  model_ids: string[]
  /** Absent in entries from before prices existed. */
  prices?: ModelPrices
}

export interface CatalogsTable {
  id: string
  scopeId: string
  name: string
  description: string
  entries: CatalogEntry[]
  /** In the order of the entries. */
  sealedKeys: (string | null)[]
  createdAt: Date
  updatedAt: Date
}

export interface SpacesTable {
  id: string
  scopeId: string
  name: string
  description: string
  createdAt: Date
  updatedAt: Date
}

interface SpaceMembersTable {
  spaceId: string
  userId: string
}

export interface CronTriggersTable {
  id: string
  workflowId: string
  scopeId: string
  name: string
  cron: string
  timezone: string
  input: unknown
  misfire: 'fire_once' | 'skip' | 'fire_all'
  catalogId: string | null
  spaceId: string | null
  enabled: boolean
  nextAt: Date | null
  createdAt: Date
}

interface CronFiresTable {
  triggerId: string
  dueAt: Date
  runId: string | null
  firedAt: Date
}

export interface WebhookTriggersTable {
  id: string
  workflowId: string
  scopeId: string
  name: string
  eventType: string
  scheme: WebhookScheme
  /** For the scheme `hmac`. */
  signatureHeader: string | null
  filterExpr: string | null
  /** The payload has the query and the headers beside the body. */
  hasRequest: boolean
  /** The time that a delivery waits for the run's output; null: it doesn't. */
  answerSec: number | null
  tokenHash: Buffer
  sealedToken: string
  sealedSecret: string
  sealedOldSecret: string | null
  oldSecretEndsAt: Date | null
  /** The subscription that starts the workflow for this webhook's events. */
  subscriptionId: string | null
  catalogId: string | null
  spaceId: string | null
  enabled: boolean
  createdAt: Date
}

export interface HttpCredentialsTable {
  id: string
  scopeId: string
  name: string
  description: string
  kind: CredentialKind
  /** The only server that it is sent to. */
  origin: string
  /** The fields that are not secret, by kind. */
  fields: CredentialFields
  sealedSecret: string
  enabled: boolean
  /** OAuth 2: the access token in use, when it ends, and until when somebody fetches another. */
  sealedToken: string | null
  tokenEndsAt: Date | null
  refreshingUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

export type CredentialFields = Partial<
  Pick<Credential, 'username' | 'header' | 'token_url' | 'client_id' | 'scope' | 'audience'>
>

export interface WorkflowFailureMailsTable {
  workflowId: string
  sentAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    workflowFailureMails: WorkflowFailureMailsTable
    workflows: WorkflowsTable
    workflowGraphs: WorkflowGraphsTable
    workflowVersions: WorkflowVersionsTable
    catalogs: CatalogsTable
    spaces: SpacesTable
    spaceMembers: SpaceMembersTable
    cronTriggers: CronTriggersTable
    cronFires: CronFiresTable
    webhookTriggers: WebhookTriggersTable
    httpCredentials: HttpCredentialsTable
  }
}
