/** `/api/v1/agent-workflows`: workflows, their review and their versions. Times are Unix seconds. */
import { z } from 'zod'
import { PageQuery, sortBy } from '../lists.ts'
import { line } from '../text.ts'
import { Graph, GraphProblem } from './graph.ts'

export const WorkflowStatus = z.enum(['Draft', 'Staged', 'Published'])
export type WorkflowStatus = z.infer<typeof WorkflowStatus>
const Person = z.object({ id: z.string(), name: z.string() })

export const WorkflowBody = z.strictObject({
  name: line(200),
  description: z.string().max(5000).optional(),
  graph: Graph.optional(),
  space_id: z.uuid().nullish(),
})
export const WorkflowPut = WorkflowBody.partial().extend({
  /**
   * The workflow that is started when a run of this one fails or times out, with the run's facts as input. Not for
   * tests, for runs that another run waits for, and for runs that were started like this themselves.
   */
  error_workflow_id: z.uuid().nullish(),
  /** The hash of the graph that was edited. It is a conflict if the graph changed meanwhile. */
  graph_hash: z.string().max(100).optional(),
})

export const WorkflowItem = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  status: WorkflowStatus,
  graph_hash: z.string(),
  live_version_id: z.uuid().nullable(),
  live_version: z.int().nullable(),
  space_id: z.uuid().nullable(),
  author: Person,
  /** On whose behalf triggered runs call models and tools; null is the owner: the organization, or its author. */
  run_as: Person.nullable(),
  /** Started when a run of this workflow fails. */
  error_workflow_id: z.uuid().nullable(),
  /** True when the draft differs from the live version, or there is none. */
  has_changes: z.boolean(),
  /** True when triggers start it: it is published and wasn't rolled back since. */
  fires: z.boolean(),
  created_at: z.int(),
  updated_at: z.int(),
})
export const Workflow = WorkflowItem.extend({
  graph: Graph,
  problems: z.array(GraphProblem),
  /** The author's notes for the reviewer while it is staged, or the reviewer's notes after a rejection. */
  review_notes: z.string().nullable(),
  /** The person who submitted it (while it is staged) or rejected it. */
  review_step: z.object({ by: Person, at: z.int() }).nullable(),
})
export type Workflow = z.infer<typeof Workflow>
/** With the states of its last runs. */
export const WorkflowListItem = WorkflowItem.extend({
  last_runs: z.array(z.object({ id: z.uuid(), status: z.string(), created_at: z.int() })),
  trigger_count: z.int(),
})
export type WorkflowListItem = z.infer<typeof WorkflowListItem>
export const WorkflowList = z.object({ items: z.array(WorkflowListItem), total: z.int() })
export const WorkflowListQuery = PageQuery.extend({
  status: WorkflowStatus.optional(),
  sort: sortBy('name', 'status', 'updated'),
})
export type WorkflowListQuery = z.infer<typeof WorkflowListQuery>
export const SubmitBody = z.strictObject({ notes: z.string().max(5000).optional() }).nullish()
export const ApproveBody = z
  .strictObject({
    notes: z.string().max(5000).optional(),
    /** The hash of the graph that was reviewed. It is a conflict if the graph changed meanwhile. */
    graph_hash: z.string().max(100).optional(),
  })
  .nullish()
export const RunAsBody = z.strictObject({ user_id: z.uuid().nullable() })
export const RejectBody = z.strictObject({ notes: z.string().max(5000) })

/** A workflow as a file: without secrets, id, author, space and versions. */
export const WorkflowFile = z.strictObject({
  format: z.literal('chancery-workflow'),
  version: z.literal(1),
  name: z.string(),
  description: z.string().max(5000),
  graph: Graph,
})
export const WorkflowFileBody = WorkflowFile.extend({ name: line(200) })

/** A graph to start from. `to_fill` lists the fields that the user has to fill in before publishing. */
export const WorkflowTemplate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  graph: Graph,
  to_fill: z.array(z.object({ node_id: z.string(), field: z.string() })),
})
export type WorkflowTemplate = z.infer<typeof WorkflowTemplate>
export const WorkflowTemplateList = z.object({ items: z.array(WorkflowTemplate), total: z.int() })

export const VersionItem = z.object({
  id: z.uuid(),
  version: z.int(),
  type: z.enum(['Published', 'Manual']),
  timestamp: z.int(),
  author: Person,
  notes: z.string(),
  /** Saved by a rollback to this version number: the notes say why it was rolled back. Null for any other version. */
  rolled_back_to: z.int().nullable(),
  live: z.boolean(),
})
export type VersionItem = z.infer<typeof VersionItem>
export const VersionList = z.object({ versions: z.array(VersionItem) })
/** Newest first; `before` is the version number that the next page starts below. */
export const VersionListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(500),
  before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
})
export const Version = VersionItem.extend({ graph: Graph })
export const SnapshotBody = z.strictObject({ notes: z.string().max(5000).optional() }).nullish()
export const RollbackBody = z.strictObject({ version_id: z.string().max(100), notes: z.string().max(5000).optional() })
export const RollbackReply = z.object({ workflow: Workflow, saved_version: VersionItem })

/** Lines of a long text: unchanged, removed, added. */
const LineChange = z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() })
export const FieldChange = z.object({
  path: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  lines: z.array(LineChange).optional(),
})
export type FieldChange = z.infer<typeof FieldChange>
/** The draft as one side of a comparison. A reviewer approves its hash. */
export const DraftSide = z.object({
  type: z.literal('Draft'),
  timestamp: z.int(),
  author: Person,
  graph_hash: z.string(),
})
export type DraftSide = z.infer<typeof DraftSide>
const DiffSide = z.discriminatedUnion('type', [VersionItem, DraftSide])
export type DiffSide = z.infer<typeof DiffSide>
/** Compares two versions, by id or number, or the `draft`. */
export const VersionDiff = z.object({
  from: DiffSide,
  to: DiffSide,
  nodes: z.object({
    added: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
    removed: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
    changed: z.array(z.object({ id: z.string(), name: z.string(), fields: z.array(FieldChange) })),
    unchanged: z.array(z.string()),
  }),
  edges: z.object({
    added: z.array(z.object({ id: z.string(), source: z.string(), target: z.string() })),
    removed: z.array(z.object({ id: z.string(), source: z.string(), target: z.string() })),
    unchanged: z.array(z.string()),
  }),
  settings: z.object({ changed: z.array(FieldChange) }),
  summary: z.object({ added: z.int(), removed: z.int(), changed: z.int(), unchanged: z.int(), text: z.string() }),
})
export type VersionDiff = z.infer<typeof VersionDiff>
