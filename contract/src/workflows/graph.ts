/** A workflow's graph: nodes of known types, edges between them, settings of the whole. */
import { z } from 'zod'
import { EventType } from './events.ts'

export const nodeTypes = [
  'agent',
  'tool',
  'condition',
  'transform',
  'http_request',
  'emit_event',
  'wait',
  'approval',
  'for_each',
  'subworkflow',
  'signature',
  'code',
  'merge',
  'loop',
] as const
export const NodeType = z.enum(nodeTypes)
export type NodeType = z.infer<typeof NodeType>

const Template = z.string().max(100_000)
const Expression = z.string().min(1).max(2000)
const ModelId = z.string().min(1).max(300)
/** In the server's own form, since runs look them up as text. */
const Id = z.uuid().lowercase('must be lowercase')

/**
 * Retries of a failed node. The delay doubles, with jitter. With `max_attempts: 1`, a node with side effects runs at
 * most once, even if the server crashes.
 */
const Retry = z.strictObject({
  max_attempts: z.int().min(1).max(20).optional(),
  initial_delay_ms: z.int().min(0).max(3_600_000).optional(),
  max_delay_ms: z.int().min(0).max(86_400_000).optional(),
})
const common = {
  retry: Retry.optional(),
  timeout_sec: z.int().min(1).max(86_400).optional(),
  /** After the last attempt: fail the run, or continue along the `error` handle. */
  on_error: z.enum(['fail', 'continue']).optional(),
}

/** Loops always have a limit. */
const maxLoopIterations = 1000
export const defaultLoopIterations = 100

/** Templates contain `{{ path.into.state }}`; expressions are those of filter_expr, over `state`, `input` and `event`. */
export const nodeConfigs = {
  agent: z.strictObject({
    model: ModelId,
    system_prompt: Template.optional(),
    prompt: Template.optional(),
    tools: z.array(z.string().max(200)).max(50).optional(),
    knowledge: z.array(z.string().max(200)).max(50).optional(),
    output_schema: z.record(z.string(), z.unknown()).optional(),
    temperature: z.number().min(0).max(2).optional(),
    max_iterations: z.int().min(1).max(50).optional(),
    max_tokens: z.int().min(1).max(10_000_000).optional(),
    ...common,
  }),
  tool: z.strictObject({
    tool: z.string().min(1).max(200),
    arguments: z.record(z.string().max(200), z.unknown()).optional(),
    ...common,
  }),
  /** Ends with the handle `true` or `false`; or with that of the first case that holds, or `else`. */
  condition: z.strictObject({
    expression: Expression.optional(),
    cases: z
      .array(z.strictObject({ handle: z.string().min(1).max(60), expression: Expression }))
      .max(50)
      .optional(),
    ...common,
  }),
  /** Each field of the output is an expression. */
  transform: z.strictObject({ fields: z.record(z.string().min(1).max(200), Expression), ...common }),
  http_request: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    url: z.string().min(1).max(4000),
    headers: z.record(z.string().max(200), Template).optional(),
    body: z.unknown().optional(),
    /** Sent as Authorization; a secret: write-only, never in a diff or an export. */
    authorization: z.string().max(4000).nullish(),
    /** A stored credential instead, see `/api/v1/http-credentials`. */
    credential_id: Id.optional(),
    ...common,
  }),
  emit_event: z.strictObject({
    event_type: EventType,
    payload: z.unknown().optional(),
    correlation_id: Template.optional(),
    ...common,
  }),
  /**
   * Waits for a time, or for an event of the run's correlation that arrived since the run started: one of `seconds`,
   * `until`, `event_type`. Its filter is that of a subscription, over `payload` and `event`. Ends with `expired` when the
   * event hasn't arrived at its deadline.
   */
  wait: z.strictObject({
    seconds: z.int().min(1).max(31_536_000).optional(),
    until: Template.optional(),
    event_type: EventType.optional(),
    filter_expr: Expression.optional(),
    deadline_sec: z.int().min(1).max(31_536_000).optional(),
    ...common,
  }),
  /** Ends with the handle `approved` or `rejected`, or with `expired` at its deadline. */
  approval: z.strictObject({
    title: Template,
    message: Template.optional(),
    /** User ids; none means every reviewer of the workflow. */
    approvers: z.array(Id).max(50).optional(),
    deadline_sec: z.int().min(1).max(31_536_000).optional(),
    ...common,
  }),
  /**
   * Runs another workflow once for each item. Its output is the list of their outputs; with `collect` an object with
   * `items`, null where one failed, and `errors` with `index`, `error` and `run_id`.
   */
  for_each: z.strictObject({
    items: Expression,
    /** When an item fails: fail the node (the default), or go on with the others. */
    on_item_error: z.enum(['stop', 'collect']).optional(),
    parallel: z.int().min(1).max(20).optional(),
    max_items: z.int().min(1).max(10_000).optional(),
    workflow_id: Id,
    ...common,
  }),
  subworkflow: z.strictObject({ workflow_id: Id, input: z.unknown().optional(), ...common }),
  /**
   * Sends a signing template, or a document from text, to people and waits until it is signed. Ends with `completed`, `declined`, `expired` or
   * `cancelled`.
   */
  signature: z
    .strictObject({
      template_id: Id.optional(),
      /** Instead of a template: Markdown with tags such as `{{sig:client}}` and variables, which `values` fill in. */
      markdown: z.string().min(1).max(200_000).optional(),
      /** The document's title; defaults to the template's. A text needs one. */
      title: Template.optional(),
      /** One person for every role of the template or the text. */
      recipients: z
        .array(
          z.strictObject({
            role: z.string().min(1).max(120),
            name: Template.min(1),
            email: Template.min(1),
            language: Template.optional(),
          }),
        )
        .max(100),
      /** Filled in from the start, by the labels of the template's fields or the names of the text's variables. */
      values: z.record(z.string().min(1).max(200), z.unknown()).optional(),
      /** The document's folder; the template's folder by default. */
      folder: Template.optional(),
      expires_sec: z.int().min(60).max(31_536_000).optional(),
      ...common,
    })
    .refine(({ template_id, markdown }) => (template_id === undefined) !== (markdown === undefined), {
      path: ['template_id'],
      message: 'Choose a template, or write the text.',
    })
    .refine(({ title, markdown }) => markdown === undefined || title !== undefined, {
      path: ['title'],
      message: 'A document from text needs a title.',
    }),
  /**
   * Computes the output. JavaScript is the body of an async function with `input`, `state` and `event`; it runs in a
   * sandbox without network, and what it logs is in the step's `logs`. Or it is one expression.
   */
  code: z.strictObject({
    language: z.enum(['javascript', 'expression']).optional(),
    code: z.string().min(1).max(50_000),
    ...common,
  }),
  /**
   * Runs another workflow again and again, each time on the output of the last, until `stop_when` holds: an expression that
   * also sees `output`, the last one, and `iteration`, from 1. Its output is `output` and `iterations`. When the limit is
   * reached first, it ends with `limit`; without `stop_when` the limit is how often it runs.
   */
  loop: z.strictObject({
    workflow_id: Id,
    /** The input of the first iteration; defaults to the node's input. */
    input: z.unknown().optional(),
    stop_when: Expression.optional(),
    max_iterations: z.int().min(1).max(maxLoopIterations).optional(),
    ...common,
  }),
  /**
   * Joins branches. `all` (the default) waits for every branch that can still arrive; its output has each branch's under
   * the id of the node it ended with. `any` continues with the first, as `branch` and `output`; the others run on, and
   * what they return isn't used.
   */
  merge: z.strictObject({ mode: z.enum(['all', 'any']).optional(), ...common }),
} satisfies Record<NodeType, z.ZodType>

/**
 * The named output handles of node types, besides the unnamed one. A condition with cases has theirs and `else` instead;
 * any node with `on_error: "continue"` also has `error`. Nodes have one input, without a name.
 */
export const nodeHandles: Partial<Record<NodeType, readonly string[]>> = {
  condition: ['true', 'false'],
  approval: ['approved', 'rejected', 'expired'],
  wait: ['expired'],
  signature: ['completed', 'declined', 'expired', 'cancelled'],
  loop: ['limit'],
}

/** These end with one of their named handles only. */
export const typesWithoutDefaultHandle: readonly NodeType[] = ['condition', 'approval', 'signature']

const NodeId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/, 'letters, digits, _ and - only')
const Handle = z.string().max(60).nullish()
const coordinate = z.number().min(-1e7).max(1e7)

/** Deep enough for any tool's arguments, and shallow enough for recursive code. */
const maxDepth = 50
const isShallow = (value: unknown, left = maxDepth): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((one) => isShallow(one, left - 1)))
const tooDeep = `must not be nested deeper than ${maxDepth}`

/** As it is saved. A draft may be incomplete: validation reports its problems instead of refusing it. */
export const GraphNode = z.strictObject({
  id: NodeId,
  type: NodeType,
  name: z.string().min(1).max(200),
  position: z.strictObject({ x: coordinate, y: coordinate }),
  config: z.record(z.string().max(100), z.unknown()).refine((config) => isShallow(config), tooDeep),
})
export type GraphNode = z.infer<typeof GraphNode>

export const GraphEdge = z.strictObject({
  id: NodeId,
  source: NodeId,
  target: NodeId,
  source_handle: Handle,
  target_handle: Handle,
})
export type GraphEdge = z.infer<typeof GraphEdge>

/** The deadline of runs whose workflow sets none. */
export const defaultDeadlineSec = 86_400

export const GraphSettings = z.looseObject({
  /** Seconds from start to end, without the time for which the run only waits; 24 hours by default. */
  deadline_sec: z.int().min(1).max(31_536_000).optional(),
  /** The deadline runs on while the run waits for a time, an event, a person or a child run. */
  deadline_counts_waiting: z.boolean().optional(),
  default_retry: Retry.optional(),
})

export const Graph = z.strictObject({
  nodes: z.array(GraphNode).max(1000),
  edges: z.array(GraphEdge).max(5000),
  settings: GraphSettings.refine((settings) => isShallow(settings), tooDeep).optional(),
})
export type Graph = z.infer<typeof Graph>

/** One problem that keeps a graph from running, by node (or none) and field. */
export const GraphProblem = z.object({
  node_id: z.string().nullable(),
  edge_id: z.string().nullable(),
  field: z.string().nullable(),
  message: z.string(),
})
export type GraphProblem = z.infer<typeof GraphProblem>
