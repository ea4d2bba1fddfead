/** Makes runs, in the transaction of whatever starts them: they exist exactly when it commits. */
import type { Insertable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { CreatedRun, NewRun } from '../engine-face.ts'
import type { RunsTable } from '../run-tables.ts'
import { findActiveUnscoped, insertRuns } from './queries/runs.ts'

/** The node that takes a run into its hands as it is made. */
export interface Holder {
  nodeId: string
  until: Date
}

export const draftRun = (
  { clock, ids }: Pick<Kernel, 'clock' | 'ids'>,
  { live, trigger, parent, cause, ...run }: NewRun,
  holder?: Holder,
): Insertable<RunsTable> & { id: string } => {
  const now = clock.now()
  return {
    id: ids.next(),
    ...{ workflowId: live.workflowId, workflowName: live.workflowName, versionId: live.versionId },
    ...{ version: live.version, graphHash: live.graphHash, scopeId: live.scopeId },
    ...{ triggerKind: trigger.kind, triggerId: trigger.id, input: run.input, eventId: run.eventId },
    ...{ correlationId: run.correlationId || null, isOnePerCorrelation: run.isOnePerCorrelation },
    ...{ userId: run.userId, catalogId: run.catalogId, spaceId: run.spaceId },
    ...{ parentRunId: parent?.runId ?? null, parentStep: parent?.step ?? null, retryOf: null },
    ...{ hop: cause.hop, chain: [...cause.chain], rootEventId: cause.rootEventId, output: null, error: null },
    ...{ promptTokens: 0, completionTokens: 0, cost: null, currency: null, hasUnpriced: false },
    ...{ nudges: 0, createdAt: now, finishedAt: null },
    deadlineAt: new Date(now.getTime() + live.deadlineSec * 1000),
    ...(holder
      ? {
          status: 'running',
          epoch: 1,
          leaseNode: holder.nodeId,
          leaseUntil: holder.until,
          wakeAt: null,
          startedAt: now,
        }
      : { status: 'queued', epoch: 0, leaseNode: null, leaseUntil: null, wakeAt: now, startedAt: null }),
  }
}

type Drafted = Insertable<RunsTable> & { id: string }

/** A run that blocked may end between our look and our next try; more often than this it is another one each time. */
const tries = 5

/** In the order of the drafts. The database decides who is first of a correlation, not this code. */
export const insertDrafts = async (tx: Db, drafts: readonly Drafted[]): Promise<CreatedRun[]> => {
  const results = new Map<string, CreatedRun>()
  let missing = drafts
  for (let attempt = 1; missing.length > 0; attempt++) {
    const made = await insertRuns(tx, missing)
    for (const id of made) results.set(id, { runId: id })
    missing = missing.filter(({ id }) => !made.has(id))
    if (missing.length === 0) break
    const blockerOf = await findActiveUnscoped(tx, missing.map(keyOf))
    for (const draft of missing) {
      const blocker = blockerOf(keyOf(draft))
      if (blocker !== undefined) results.set(draft.id, { blockedBy: blocker })
    }
    missing = missing.filter(({ id }) => !results.has(id))
    if (attempt === tries && missing.length > 0) throw new Error('a run is blocked by one that cannot be found')
  }
  return drafts.map(({ id }) => results.get(id) as CreatedRun)
}

const keyOf = ({ workflowId, correlationId }: Drafted) => ({ workflowId, correlationId: correlationId ?? null })
