/** What the engine and the executors of nodes agree on. */
import type { GraphNode, NodeType, nodeConfigs } from '@chancery/contract/workflow-graph.ts'
import type { z } from 'zod'
import type { NewEvent } from '#modules/event-bus/index.ts'
import type { LiveVersion } from '../engine-face.ts'
import type { RunsTable } from '../run-tables.ts'
import type { Amount, Tokens } from './cost.ts'

/** What of a run its nodes may know. */
export type RunHead = Pick<
  RunsTable,
  | ('id' | 'workflowId' | 'workflowName' | 'scopeId' | 'userId' | 'catalogId' | 'spaceId' | 'correlationId')
  | ('hop' | 'chain' | 'rootEventId' | 'eventId' | 'parentRunId' | 'createdAt')
>

export interface NodeCall<Config = unknown> {
  run: RunHead
  node: Pick<GraphNode, 'id' | 'name'>
  config: Config
  /** The initial state, and each finished node's output under its id. */
  state: Record<string, unknown>
  /** What the node before brought; of several, by their ids; for a first node what the run was given. */
  input: unknown
  /** `_event` of the state, or null. */
  event: unknown
  step: { id: string; startedAt: Date }
  /** Of the waiting step: when it wakes by itself. Undefined on the first call. */
  waiting: { wakeAt: Date | null; output: unknown } | undefined
  now: Date
  signal: AbortSignal
  /** Tokens that earlier attempts at this node used. */
  spentBefore: number
  /** Told of tokens as they are used: they are spent, however the attempt ends. Null: nobody knows what they cost. */
  spend(tokens: Tokens, cost: Amount | null): void
}

export type NodeResult = Done | Waiting

export interface Done {
  kind: 'done'
  output: unknown
  /** By which way the node is left; absent is the plain one. */
  handle?: string
  /** Published in the transaction that keeps the result, under derived ids. */
  events?: readonly EmittedEvent[]
}

/** The node is called again when the time has come, or when something came for the run. */
export interface Waiting {
  kind: 'waiting'
  wakeAt: Date | null
  /** Kept with the step. */
  output?: unknown
  approval?: AskedApproval
  event?: { eventType: string; filterExpr: string | null }
  children?: readonly ChildRun[]
}

export type EmittedEvent = Pick<NewEvent, 'eventType' | 'payload'> & { correlationId: string | null }

export interface AskedApproval {
  title: string
  message: string
  approvers: readonly string[]
  deadlineAt: Date | null
  /** Who is told by mail. */
  addresses: readonly string[]
}

export interface ChildRun {
  live: LiveVersion
  /** Which of the node's children: its place in a list. */
  place: number
  input: unknown
}

export type ConfigOf<Type extends NodeType> = z.output<(typeof nodeConfigs)[Type]>

/** At once where nothing outside is asked: such nodes share a commit with their neighbours. */
export type Executor<Config> = (call: NodeCall<Config>) => NodeResult | Promise<NodeResult>

export type Executors = { [Type in NodeType]: Executor<ConfigOf<Type>> }
