/**
 * Fires the cron triggers that are due. One transaction covers a trigger's row, the record of the due time, its run and the
 * next due time: a crash leaves nothing half done, and when two nodes race, one finds nothing to do.
 */
import type { Db } from '#kernel/db/database.ts'
import { findOpenScopes, type LiveVersion, type NewRun } from '#modules/runs/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { findLiveVersionsUnscoped } from '../queries/live-versions.ts'
import { type Plan, planFires } from './plan-fires.ts'
import { type Fire, insertFiresUnscoped, recordRunsUnscoped } from './queries/cron-fires.ts'
import { type CronRow, claimDueUnscoped, moveOnUnscoped } from './queries/cron-triggers.ts'

const batchSize = 200
/** When this release can't read a schedule, its trigger is tried again later and doesn't block the others. */
const unreadableDelayMs = 3_600_000

/** Returns whether more may be due. */
export const fireDue = async (context: WorkflowsContext): Promise<boolean> => {
  const { kernel, runs } = context
  const { db, failpoints } = kernel
  const now = kernel.clock.now()
  const count = await db.transaction().execute(async (tx) => {
    const due = await claimDueUnscoped(tx, now, batchSize)
    if (due.length === 0) return 0
    await failpoints.hit('cron: claimed')
    const plans = planAll(context, due, now)
    const fires = due.flatMap(({ id }) => (plans.get(id)?.fires ?? []).map((dueAt) => ({ triggerId: id, dueAt })))
    const fresh = await insertFiresUnscoped(tx, fires, now)
    await failpoints.hit('cron: recorded')
    await startRuns(context, tx, { due, fires: fresh })
    await failpoints.hit('cron: runs made')
    const moves = [...plans].map(([id, { nextAt }]) => ({ id, nextAt }))
    await moveOnUnscoped(tx, moves)
    await failpoints.hit('cron: moved on')
    return due.length
  })
  if (count === 0) return false
  await failpoints.hit('cron: committed')
  runs.wake()
  return count === batchSize
}

/** Triggers with the same schedule share its calculation, which is the expensive part of a busy minute. */
const planAll = ({ kernel }: WorkflowsContext, due: readonly CronRow[], now: Date): Map<string, Plan> => {
  const known = new Map<string, Plan>()
  const plan = ({ id, cron, timezone, misfire, nextAt }: CronRow): Plan => {
    const from = nextAt ?? now
    const key = JSON.stringify([cron, timezone, misfire, from])
    const planned = known.get(key)
    if (planned) return planned
    try {
      const fresh = planFires({ cron, timezone, misfire, nextAt: from }, now)
      known.set(key, fresh)
      return fresh
    } catch (problem) {
      kernel.log.error(
        { err: problem, triggerId: id },
        'A schedule cannot be read. Its trigger is tried again in an hour.',
      )
      return { fires: [], nextAt: new Date(now.getTime() + unreadableDelayMs) }
    }
  }
  return new Map(due.map((row) => [row.id, plan(row)]))
}

interface Batch {
  due: readonly CronRow[]
  fires: readonly Fire[]
}

/** Only for published workflows of open scopes; otherwise the time passes without a run. */
const startRuns = async (context: WorkflowsContext, tx: Db, { due, fires }: Batch): Promise<void> => {
  const rows = new Map(due.map((row) => [row.id, row]))
  const live = await findLiveVersionsUnscoped(tx, [...new Set(due.map(({ workflowId }) => workflowId))])
  const scopeIds = [...live.values()].map(({ scopeId }) => scopeId)
  const open = await findOpenScopes(context, tx, { scopeIds })
  const starts = fires.flatMap((fire) => {
    const row = rows.get(fire.triggerId)
    const version = row && live.get(row.workflowId)
    return version && open.has(version.scopeId) ? [{ fire, run: newRun(row, version) }] : []
  })
  if (starts.length === 0) return
  const runs = starts.map(({ run }) => run)
  const created = await context.runs.createRuns(tx, runs)
  const started = starts.flatMap(({ fire }, index) => {
    const result = created[index]
    return result && 'runId' in result ? [{ ...fire, runId: result.runId }] : []
  })
  await recordRunsUnscoped(tx, started)
}

const newRun = ({ id, input, catalogId, spaceId }: CronRow, live: LiveVersion): NewRun => ({
  live,
  trigger: { kind: 'cron', id },
  input: { input },
  eventId: null,
  correlationId: null,
  isOnePerCorrelation: false,
  userId: live.runAsUserId,
  allowedRoutes: null,
  catalogId,
  spaceId: spaceId ?? live.spaceId,
  parent: null,
  cause: { hop: 0, chain: [], rootEventId: null },
})
