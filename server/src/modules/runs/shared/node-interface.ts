/** The interface between a run and the executors of its nodes. */
import type { GraphNode, NodeType, nodeConfigs } from '@chancery/contract/workflows/graph.ts'
import type { ModelCall } from '@chancery/contract/workflows/traces.ts'
import type { z } from 'zod'
import type { NewEvent } from '#modules/event-bus/index.ts'
import type { Amount, Tokens } from '../core/cost.ts'
import type { RunRow } from '../queries/claims.ts'
import type { RunsTable, RunWaitsTable } from '../queries/tables.ts'
import type { LiveVersion } from './new-run.ts'

/** The part of a run that its nodes may see. */
export type RunHead = Pick<
  RunsTable,
  | 'id'
  | 'workflowId'
  | 'workflowName'
  | 'scopeId'
  | 'triggerKind'
  | 'isDry'
  | 'userId'
  | 'allowedRoutes'
  | 'catalogId'
  | 'spaceId'
  | 'correlationId'
  | 'hop'
  | 'chain'
  | 'rootEventId'
  | 'eventId'
  | 'parentRunId'
  | 'rootRunId'
  | 'retryOf'
  | 'createdAt'
>

export interface NodeCall<Config = unknown> {
  run: RunHead
  node: Pick<GraphNode, 'id' | 'name'>
  config: Config
  /** The initial state, and each finished node's output under its id. */
  state: Record<string, unknown>
  /** The output of the node before; of several, an object by their ids; for a first node the run's event or input. */
  input: unknown
  /** `_event` of the state, or null. */
  event: unknown
  /** Texts with placeholders filled in, which see what expressions see. One that leads nowhere is a warning of the step. */
  render(template: string): string
  /** The same for every text in a value. A text that is a single placeholder becomes the value itself. */
  fill(value: unknown): unknown
  step: { id: string; startedAt: Date }
  /** The step as it was parked. Undefined on the first call. */
  waiting: { wakeAt: Date | null; output: unknown } | undefined
  now: Date
  signal: AbortSignal
  /** Tokens that earlier attempts at this node used. */
  tokensBefore: number
  /** Counts tokens as they are used, however the attempt ends. A null cost is unknown. */
  spend(tokens: Tokens, cost: Amount | null): void
  /** One line for the step's page. */
  log(line: string): void
  /** Secrets that the call uses and that its graph doesn't have: the run keeps none of them. */
  hideFromRun(secrets: readonly string[]): void
  trace: StepTrace
}

export interface TracedCall {
  /** A text as it may be stored. */
  text(text: string): string
  /** Replaces what was saved of this call before. One that is too large to be stored is left out: the step goes on. */
  save(call: Omit<ModelCall, 'number' | 'is_cut'>): void
}

/** Records what the step asked models. It is saved with the step's next change. */
export interface StepTrace {
  open(number: number): TracedCall
  /** Saves what there is in a change of its own, which nobody waits for: the step goes on, and a crash leaves it. */
  saveSoon(): void
}

export type NodeResult = Done | Waiting

export interface Done {
  kind: 'done'
  output: unknown
  /** The handle whose edges are followed; absent is the unnamed one. */
  handle?: string
  /** Published in the transaction that saves the result, under derived ids. */
  events?: readonly EmittedEvent[]
}

/** The node is called again when it is due, or when something arrives for the run. */
export interface Waiting {
  kind: 'waiting'
  wakeAt: Date | null
  /** Saved with the step. */
  output?: unknown
  approval?: AskedApproval
  event?: Pick<RunWaitsTable, 'eventType' | 'filterExpr' | 'filterValues'>
  children?: readonly ChildRun[]
}

export type EmittedEvent = Pick<NewEvent, 'eventType' | 'payload'> & { correlationId: string | null }

export interface AskedApproval {
  title: string
  message: string
  approvers: readonly string[]
  deadlineAt: Date | null
  /** The recipients of emails. */
  addresses: readonly string[]
}

export type ChildRun = NewChild | RetriedChild

interface NewChild {
  live: LiveVersion
  /** The position of the item; 0 for the only child of a subworkflow. */
  index: number
  input: unknown
}

/** Continues a child that failed in an earlier run of the parent's line of retries. */
export interface RetriedChild {
  retry: RunRow
  index: number
}

export type ConfigOf<Type extends NodeType> = z.output<(typeof nodeConfigs)[Type]>

/** Synchronous where nothing outside is called: such nodes share a commit with their neighbours. */
export type Executor<Config> = (call: NodeCall<Config>) => NodeResult | Promise<NodeResult>

export type Executors = { [Type in NodeType]: Executor<ConfigOf<Type>> }
