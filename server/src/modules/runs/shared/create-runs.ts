/** Creates runs in the transaction of whatever starts them: they exist exactly when it commits. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { activeSpan } from '#kernel/spans/span.ts'
import { contextOf } from '#kernel/spans/trace-context.ts'
import { nothingYet } from '../queries/columns.ts'
import { findActiveUnscoped, insertRunsUnscoped } from '../queries/runs.ts'
import type { RunsTable } from '../queries/tables.ts'
import type { CreatedRun, NewRun } from './new-run.ts'
import { traceOf } from './trace-of.ts'

/** The run at the top of a run's tree. */
export const rootOf = ({ id, rootRunId }: Pick<RunsTable, 'id' | 'rootRunId'>): string => rootRunId ?? id

type RunInsert = Insertable<RunsTable> & { id: string }

/** The node that holds a run from the moment it is created, which keeps a slot for it; undefined where it has none. */
export type HoldRun = (run: { id: string; scopeId: string }) => string | undefined

export const buildRun = (
  { clock, ids }: Pick<Kernel, 'clock' | 'ids'>,
  { live, trigger, parent, cause, ...run }: NewRun,
  { id = ids.next(), hold }: { id?: string; hold?: HoldRun } = {},
): RunInsert => {
  const now = clock.now()
  const heldBy = hold?.({ id, scopeId: live.scopeId })
  const rootRunId = parent?.rootId ?? null
  activeSpan()?.link(contextOf(id, traceOf({ id, rootEventId: cause.rootEventId, rootRunId })))
  return {
    id,
    workflowId: live.workflowId,
    workflowName: live.workflowName,
    versionId: live.versionId,
    version: live.version,
    graphHash: live.graphHash,
    scopeId: live.scopeId,
    triggerKind: trigger.kind,
    triggerId: trigger.id,
    input: run.input,
    eventId: run.eventId,
    correlationId: run.correlationId || null,
    isOnePerCorrelation: run.isOnePerCorrelation,
    isTest: run.test !== undefined,
    isDry: run.test === 'dry',
    userId: run.userId,
    allowedRoutes: run.allowedRoutes && [...run.allowedRoutes],
    catalogId: run.catalogId,
    spaceId: run.spaceId,
    parentRunId: parent?.runId ?? null,
    parentStep: parent?.step ?? null,
    rootRunId,
    retryOf: null,
    replayOf: run.replayOf ?? null,
    hop: cause.hop,
    chain: [...cause.chain],
    rootEventId: cause.rootEventId,
    ...nothingYet,
    createdAt: now,
    deadlineAt: new Date(now.getTime() + live.deadlineSec * 1000),
    ...(heldBy === undefined ? queuedFrom(now) : heldFrom(now, heldBy)),
  }
}

/**
 * A run that continues another one, with as much time as that had. `parent` is the run that waits for it, which may itself
 * be a retry.
 */
export const buildRetry = (
  { clock, ids }: Pick<Kernel, 'clock' | 'ids'>,
  before: Selectable<RunsTable>,
  parent: NewRun['parent'],
): Selectable<RunsTable> => {
  const now = clock.now()
  // Always later than the run before, whose time may come from another node's clock: the last of a line is found by it.
  const allowedMs = before.deadlineAt.getTime() - before.createdAt.getTime() - before.waitedMs
  const createdAt = new Date(Math.max(now.getTime(), before.createdAt.getTime() + 1))
  return {
    ...before,
    ...queuedFrom(now),
    id: ids.next(),
    retryOf: before.retryOf ?? before.id,
    parentRunId: parent?.runId ?? null,
    parentStep: parent?.step ?? null,
    rootRunId: parent?.rootId ?? null,
    ...nothingYet,
    createdAt,
    deadlineAt: new Date(now.getTime() + allowedMs),
  }
}

const heldFrom = (now: Date, nodeId: string) => ({
  status: 'running' as const,
  epoch: 1,
  claims: 1,
  leaseNode: nodeId,
  wakeAt: null,
  startedAt: now,
})

const queuedFrom = (now: Date) => ({
  status: 'queued' as const,
  epoch: 0,
  claims: 0,
  leaseNode: null,
  leaseUntil: null,
  wakeAt: now,
  startedAt: null,
})

/** A blocking run may end between our query and our next try; more often than this, it is another one each time. */
const maxTries = 5

/** Results are in the order of the runs. The database decides which run of a correlation is first, not this code. */
export const insertNewRuns = async (tx: Db, runs: readonly RunInsert[]): Promise<CreatedRun[]> => {
  const results = new Map<string, CreatedRun>()
  let missing = runs
  for (let attempt = 1; missing.length > 0; attempt++) {
    const inserted = await insertRunsUnscoped(tx, missing)
    for (const id of inserted) results.set(id, { runId: id })
    missing = missing.filter(({ id }) => !inserted.has(id))
    if (missing.length === 0) break
    const blockerOf = await findActiveUnscoped(tx, missing.map(correlationKey))
    for (const run of missing) {
      const blocker = blockerOf(correlationKey(run))
      if (blocker !== undefined) results.set(run.id, { blockedBy: blocker })
    }
    missing = missing.filter(({ id }) => !results.has(id))
    if (attempt === maxTries && missing.length > 0) throw new Error('a run is blocked by one that cannot be found')
  }
  return runs.map(({ id }) => results.get(id) as CreatedRun)
}

const correlationKey = ({ workflowId, correlationId }: RunInsert) => ({
  workflowId,
  correlationId: correlationId ?? null,
})
