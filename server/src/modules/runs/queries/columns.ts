/** The columns of `runs`, for statements that name them all or many: one list, which the compiler holds against the table. */
import type { RunsTable } from './tables.ts'

/** By their types in PostgreSQL. */
const types: Readonly<Record<keyof RunsTable, string>> = {
  id: 'uuid',
  workflowId: 'uuid',
  workflowName: 'text',
  versionId: 'uuid',
  version: 'integer',
  graphHash: 'text',
  scopeId: 'uuid',
  status: 'text',
  triggerKind: 'text',
  triggerId: 'uuid',
  eventId: 'uuid',
  correlationId: 'text',
  isOnePerCorrelation: 'boolean',
  isTest: 'boolean',
  isDry: 'boolean',
  userId: 'uuid',
  allowedRoutes: 'text[]',
  catalogId: 'uuid',
  spaceId: 'uuid',
  parentRunId: 'uuid',
  parentStep: 'text',
  rootRunId: 'uuid',
  descendants: 'integer',
  retryOf: 'uuid',
  replayOf: 'uuid',
  hop: 'integer',
  chain: 'uuid[]',
  rootEventId: 'uuid',
  input: 'jsonb',
  output: 'jsonb',
  error: 'text',
  promptTokens: 'bigint',
  completionTokens: 'bigint',
  cost: 'numeric',
  currency: 'text',
  hasUnpriced: 'boolean',
  traceSize: 'integer',
  epoch: 'integer',
  claims: 'integer',
  heldAt: 'timestamptz',
  endsChildren: 'boolean',
  leaseNode: 'uuid',
  leaseUntil: 'timestamptz',
  wakeAt: 'timestamptz',
  nudges: 'integer',
  deadlineAt: 'timestamptz',
  waitingSince: 'timestamptz',
  waitedMs: 'bigint',
  createdAt: 'timestamptz',
  startedAt: 'timestamptz',
  finishedAt: 'timestamptz',
}

type Column = keyof RunsTable

const columns = Object.keys(types) as Column[]

/** The run's spending so far: saved with every change. */
export const spendingColumns = [
  'promptTokens',
  'completionTokens',
  'cost',
  'currency',
  'hasUnpriced',
  'traceSize',
] as const satisfies Column[]

/**
 * The values of a run before its first step. The table has the same defaults, so a new run is inserted without them.
 */
export const nothingYet = {
  output: null,
  error: null,
  promptTokens: 0,
  completionTokens: 0,
  cost: null,
  currency: null,
  hasUnpriced: false,
  traceSize: 0,
  nudges: 0,
  descendants: 0,
  heldAt: null,
  endsChildren: false,
  finishedAt: null,
  waitingSince: null,
  waitedMs: 0,
} as const satisfies Partial<RunsTable>

/** Those of a new run. */
export const insertedColumns = columns.filter((name) => !(name in nothingYet))

type HeadColumn = Exclude<Column, 'input' | 'output'>

/** Without those that may be large. */
export const headColumns = columns.filter((name): name is HeadColumn => name !== 'input' && name !== 'output')

/** As PostgreSQL has it. */
export const snakeCase = (name: Column): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The record type of rows with these columns, for `json_to_recordset`. */
export const recordOf = (names: readonly Column[]): string => names.map((name) => `"${name}" ${types[name]}`).join(', ')
