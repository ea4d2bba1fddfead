/** Runs of workflows: `/api/v1/agent-workflows/{id}/runs` and `/api/v1/agent-runs`. Times are Unix seconds. */
import { z } from 'zod'
import { PageQuery } from '../lists.ts'
import { Currency } from '../models/prices.ts'
import { CorrelationId, EventType } from './events.ts'

export const RunStatus = z.enum(['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'timed_out'])
export type RunStatus = z.infer<typeof RunStatus>
export const terminalRunStatuses: readonly RunStatus[] = ['succeeded', 'failed', 'cancelled', 'timed_out']

/** `error`: another workflow's run failed, and its workflow names this one. */
const RunTrigger = z.enum(['manual', 'cron', 'webhook', 'event', 'subworkflow', 'error'])

/** An event that exists only in the run: what a workflow for events is tried with. It isn't published. */
const SampleEvent = z.strictObject({
  event_type: EventType,
  payload: z.unknown().optional(),
  correlation_id: CorrelationId.nullish(),
  source: z.string().min(1).max(200).nullish(),
})
export type SampleEvent = z.infer<typeof SampleEvent>

export const RunBody = z
  .strictObject({ input: z.unknown().optional(), event: SampleEvent.optional(), catalog_id: z.uuid().nullish() })
  .nullish()

/**
 * POST `/api/v1/agent-workflows/{id}/test-runs`: runs the draft, or one node of it, on the caller's behalf. Nothing but
 * this request starts it, and no version is made.
 */
export const TestRunBody = z
  .strictObject({
    input: z.unknown().optional(),
    event: SampleEvent.optional(),
    /** Only this node runs, on `outputs` of the nodes before it; without any, on the input or event. */
    node_id: z.string().max(100).optional(),
    /** Results of nodes by their id. These nodes are not run. */
    outputs: z.record(z.string().max(100), z.unknown()).optional(),
    /** False, or not a reviewer: nodes that reach other systems or people are not run, and agents have no tools. */
    effects: z.boolean().optional(),
    catalog_id: z.uuid().nullish(),
  })
  .nullish()

export const RunItem = z.object({
  id: z.uuid(),
  workflow_id: z.uuid(),
  workflow_name: z.string(),
  version_id: z.uuid(),
  version: z.int(),
  status: RunStatus,
  trigger: RunTrigger,
  /** It tries a draft: `version` is 0 and `version_id` the nil id. */
  is_test: z.boolean(),
  /** The person who started it, or the member that its workflow names; null is the owner of the workflow. */
  user_id: z.uuid().nullable(),
  /**
   * For whom it acts, or acted: with their access it calls models and tools. Null while neither that person nor the owner
   * is active, so that those calls fail. The name of a deleted account is null.
   */
  acts_for: z
    .object({ kind: z.enum(['person', 'organization']), id: z.uuid(), name: z.string().nullable() })
    .nullable(),
  event_id: z.uuid().nullable(),
  correlation_id: z.string().nullable(),
  error: z.string().nullable(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** The cost of its model calls, at the prices of the time; null when none of them had a price. */
  cost: z.number().nullable(),
  /** Only some calls had a price: the run cost more than `cost`. */
  cost_is_partial: z.boolean(),
  /** The currency of the cost. */
  currency: Currency.nullable(),
  created_at: z.int(),
  started_at: z.int().nullable(),
  /** The same in milliseconds, for a timeline of runs and events. */
  started_at_ms: z.int().nullable(),
  finished_at: z.int().nullable(),
  /** Milliseconds from start to end. */
  duration_ms: z.int().nullable(),
  /** The first run of the line of retries that this run belongs to. */
  retry_of: z.uuid().nullable(),
  /** The run whose input it was started with again, on the version that was live by then. */
  replay_of: z.uuid().nullable(),
  /** The run whose node started this one. */
  parent_run_id: z.uuid().nullable(),
  parent_node_id: z.string().nullable(),
})
export type RunItem = z.infer<typeof RunItem>
export const RunList = z.object({ data: z.array(RunItem), next_cursor: z.string().nullable() })
/** One value, or several with commas between them. */
const oneOrMore = <Name extends string>(item: z.ZodType<Name, Name>) =>
  z
    .string()
    .max(200)
    .transform((text) => text.split(',') as Name[])
    .pipe(z.array(item).min(1).max(10))
const second = z.coerce.number().int().min(0).max(99_999_999_999)

export const RunListQuery = z.strictObject({
  status: oneOrMore(RunStatus).optional(),
  trigger: oneOrMore(RunTrigger).optional(),
  /** When the runs were created, in Unix seconds: from, and before. */
  from: second.optional(),
  to: second.optional(),
  /** Only tests of a draft, or none of them. */
  is_test: z.stringbool().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
})

export const RunStep = z.object({
  id: z.uuid(),
  /** Steps come in this order: that in which they started. */
  number: z.int(),
  node_id: z.string(),
  node_name: z.string(),
  node_type: z.string(),
  status: z.enum(['running', 'retrying', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled']),
  attempt: z.int(),
  input: z.unknown(),
  output: z.unknown(),
  /** The handle the node ended with; null is the unnamed one. */
  handle: z.string().nullable(),
  error: z.string().nullable(),
  /** Problems that didn't stop it, such as a placeholder that leads nowhere. */
  warnings: z.array(z.string()),
  /** Lines that its code logged. */
  logs: z.array(z.string()),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** In the run's currency. */
  cost: z.number().nullable(),
  cost_is_partial: z.boolean(),
  started_at: z.int(),
  /** Milliseconds from the run's start; negative where the result was taken over from the run it retries. */
  offset_ms: z.int(),
  finished_at: z.int().nullable(),
  /** Milliseconds from start to end. */
  duration_ms: z.int().nullable(),
  wake_at: z.int().nullable(),
})
export type RunStep = z.infer<typeof RunStep>
/** `/stream` sends a RunItem with each `event: run` and a RunStep with each `event: step`, until the run has ended. */
export const Run = RunItem.extend({
  input: z.unknown(),
  output: z.unknown(),
  steps: z.array(RunStep),
  /** The last run of its line of retries, if that isn't this one. A line continues at its end. */
  newest_retry: z.object({ id: z.uuid(), status: RunStatus }).nullable(),
})
export type Run = z.infer<typeof Run>

/** GET `/api/v1/agent-runs`: the runs of every workflow. `steps` adds their steps, without inputs, outputs and logs. */
export const AllRunsQuery = RunListQuery.extend({
  correlation_id: z.string().max(200).optional(),
  event_id: z.uuid().optional(),
  parent_run_id: z.uuid().optional(),
  retry_of: z.uuid().optional(),
  steps: z.stringbool().optional(),
  /** Only runs that were neither retried nor replayed since, without tests and child runs. */
  unresolved: z.stringbool().optional(),
})
export const RunStepHead = RunStep.omit({ input: true, output: true, logs: true })
export type RunStepHead = z.infer<typeof RunStepHead>
const ListedRun = RunItem.extend({ steps: z.array(RunStepHead).optional() })
export type ListedRun = z.infer<typeof ListedRun>
export const AllRunsList = RunList.extend({ data: z.array(ListedRun) })

/** POST `/api/v1/agent-workflows/{id}/triggers/{trigger_id}/replay`: one event again for this trigger, whatever its filter says. */
export const EventReplayBody = z.strictObject({ event_id: z.uuid() })

/**
 * POST `/api/v1/agent-workflows/{id}/replay`: runs that ended badly, each again from its beginning on the live version.
 * Tests, runs of other runs, and runs that were replayed or successfully retried already don't count. With `preview`
 * nothing starts. At most 200 start with one request, the oldest first.
 */
export const ReplayBody = z.strictObject({
  status: z
    .array(z.enum(['failed', 'timed_out', 'cancelled']))
    .min(1)
    .max(3)
    .optional(),
  /** When the runs were created, in Unix seconds. */
  from: z.int().min(0).max(99_999_999_999).optional(),
  to: z.int().min(0).max(99_999_999_999).optional(),
  /** Only runs of this version. */
  version: z.int().min(1).optional(),
  preview: z.boolean().optional(),
})
/** `count` is how many there are, `run_ids` are those that were started. */
export const ReplayReply = z.object({ count: z.int(), run_ids: z.array(z.uuid()) })

export const ApprovalBody = z.strictObject({ approved: z.boolean(), comment: z.string().max(5000).optional() })
export const Approval = z.object({
  step_id: z.uuid(),
  run_id: z.uuid(),
  workflow_id: z.uuid(),
  workflow_name: z.string(),
  title: z.string(),
  message: z.string(),
  asked_at: z.int(),
  deadline_at: z.int().nullable(),
  answer: z.object({ approved: z.boolean(), comment: z.string(), by: z.string(), at: z.int() }).nullable(),
})
export type Approval = z.infer<typeof Approval>
/**
 * GET and PUT `/api/v1/approvals/retention`: for how many days an organization keeps answered approvals; null is forever.
 * Never shorter than the audit log is kept (`audit_log_days`, null is forever).
 */
export const ApprovalRetentionBody = z.strictObject({ days: z.int().min(1).max(36_500).nullable() })
export const ApprovalRetention = z.object({ days: z.int().nullable(), audit_log_days: z.int().nullable() })
export type ApprovalRetention = z.infer<typeof ApprovalRetention>
/** Approvals that wait for an answer, or that were answered. */
export const ApprovalListQuery = PageQuery.pick({ page: true, limit: true }).extend({
  state: z.enum(['open', 'answered']).default('open'),
  run_id: z.uuid().optional(),
})
export const ApprovalList = z.object({ items: z.array(Approval), total: z.int() })
