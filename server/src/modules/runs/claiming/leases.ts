/** Which runs this node holds: claimed under a lease, which is renewed for as long as the node works on them. */
import { claimRunsUnscoped, renewLeasesUnscoped } from '../queries/claims.ts'
import type { RunRow } from '../queries/runs.ts'
import { listStepsUnscoped, type StepRow } from '../queries/steps.ts'
import type { RunsContext } from '../shared/context.ts'

export interface ClaimedRun {
  run: RunRow
  steps: readonly StepRow[]
}

type Needs = Pick<RunsContext, 'kernel' | 'nodeId'>

/** Claims runs that are due or whose lease expired, each under a new epoch, with their steps. */
export const claimRuns = async (
  { kernel: { clock, db, failpoints }, nodeId }: Needs,
  limit: number,
): Promise<ClaimedRun[]> => {
  await failpoints.hit('claim: before')
  const runs = await claimRunsUnscoped(db, { nodeId, now: clock.now(), limit })
  if (runs.length === 0) return []
  await failpoints.hit('claim: claimed')
  const ids = runs.map(({ id }) => id)
  const steps = Map.groupBy(await listStepsUnscoped(db, ids), ({ runId }) => runId)
  await failpoints.hit('claim: steps read')
  return runs.map((run) => ({ run, steps: steps.get(run.id) ?? [] }))
}

/** Renews leases in one statement. Returns the runs this node still holds. */
export const renewLeases = async (
  { kernel: { db, failpoints }, nodeId }: Needs,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  await failpoints.hit('heartbeat: before')
  return renewLeasesUnscoped(db, { nodeId, ids })
}
