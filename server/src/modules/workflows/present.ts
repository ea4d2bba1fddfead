/** Presents the module's things in the API. Never with secrets of nodes or keys of catalogs. */

import type { Catalog, Space } from '@chancery/contract/workflows/catalogs.ts'
import type { Graph, GraphProblem } from '@chancery/contract/workflows/graph.ts'
import type { Credential } from '@chancery/contract/workflows/http-credentials.ts'
import type {
  DraftSide,
  VersionItem,
  Workflow,
  WorkflowItem,
  WorkflowListItem,
} from '@chancery/contract/workflows/workflows.ts'
import type { z } from 'zod'
import { unixSeconds } from '#kernel/clock.ts'
import type { LastRun } from '#modules/runs/index.ts'
import { redactGraph } from '#modules/workflow-graph/index.ts'
import type { CatalogRow } from './queries/catalogs.ts'
import type { CredentialRow } from './queries/credentials.ts'
import type { SpaceRow } from './queries/spaces.ts'
import type { VersionRow, VersionWithGraph } from './queries/versions.ts'
import type { WorkflowHead } from './queries/workflows.ts'

const presentItem = (row: WorkflowHead): z.output<typeof WorkflowItem> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  graph_hash: row.graphHash,
  live_version_id: row.liveVersionId,
  live_version: row.liveVersion,
  space_id: row.spaceId,
  author: { id: row.authorId, name: row.authorName },
  run_as: row.runAsUserId === null ? null : { id: row.runAsUserId, name: row.runAsName ?? '' },
  error_workflow_id: row.errorWorkflowId,
  has_changes: row.graphHash !== row.liveHash,
  fires: row.isLive,
  created_at: unixSeconds(row.createdAt),
  updated_at: unixSeconds(row.updatedAt),
})

export const presentWorkflow = (
  row: WorkflowHead,
  { graph, problems }: { graph: Graph; problems: GraphProblem[] },
): Workflow => ({
  ...presentItem(row),
  graph: redactGraph(graph),
  problems,
  review_notes: row.reviewNotes,
  review_step: presentStep(row),
})

const presentStep = ({ reviewById, reviewByName, reviewedAt }: WorkflowHead): Workflow['review_step'] =>
  reviewById === null || reviewedAt === null
    ? null
    : { by: { id: reviewById, name: reviewByName ?? '' }, at: unixSeconds(reviewedAt) }

export const presentListItem = (
  row: WorkflowHead,
  { lastRuns, triggerCount }: { lastRuns: readonly LastRun[]; triggerCount: number },
): WorkflowListItem => ({
  ...presentItem(row),
  last_runs: lastRuns.map(({ id, status, createdAt }) => ({ id, status, created_at: unixSeconds(createdAt) })),
  trigger_count: triggerCount,
})

type Live = Pick<WorkflowHead, 'liveVersionId'>

export const presentVersion = (row: VersionRow, { liveVersionId }: Live): VersionItem => ({
  id: row.id,
  version: row.version,
  type: row.type,
  timestamp: unixSeconds(row.createdAt),
  author: { id: row.authorId, name: row.authorName },
  notes: row.notes,
  rolled_back_to: row.rolledBackTo,
  live: row.id === liveVersionId,
})

/** The draft in a comparison: who created the workflow, and when the draft last changed. */
export const presentDraft = (row: WorkflowHead): DraftSide => ({
  type: 'Draft',
  timestamp: unixSeconds(row.updatedAt),
  author: { id: row.authorId, name: row.authorName },
  graph_hash: row.graphHash,
})

export const presentVersionWithGraph = (row: VersionWithGraph, live: Live) => ({
  ...presentVersion(row, live),
  graph: redactGraph(row.graph),
})

export const presentCatalog = (row: CatalogRow): z.output<typeof Catalog> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  entries: row.entries.map((entry, index) => ({ prices: {}, ...entry, has_key: Boolean(row.sealedKeys[index]) })),
  created_at: unixSeconds(row.createdAt),
  updated_at: unixSeconds(row.updatedAt),
})

export const presentCredential = (row: CredentialRow): Credential => ({
  id: row.id,
  name: row.name,
  description: row.description,
  kind: row.kind,
  url: row.origin,
  enabled: row.enabled,
  ...row.fields,
  created_at: unixSeconds(row.createdAt),
  updated_at: unixSeconds(row.updatedAt),
})

export const presentSpace = (row: SpaceRow): z.output<typeof Space> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  member_ids: row.memberIds,
  created_at: unixSeconds(row.createdAt),
  updated_at: unixSeconds(row.updatedAt),
})
