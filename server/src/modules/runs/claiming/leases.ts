/** Which runs this node holds: claimed under a lease, which is renewed for as long as the node works on them. */
import {
  type Claimed,
  type ClaimLimits,
  claimRunsUnscoped,
  type RunRow,
  renewLeasesUnscoped,
} from '../queries/claims.ts'
import { listStepsUnscoped, type StepRow } from '../queries/steps.ts'
import type { RunsContext } from '../shared/context.ts'

export interface ClaimedRun {
  run: RunRow
  steps: readonly StepRow[]
}

type Needs = Pick<RunsContext, 'kernel' | 'nodeId'>

/** Claims runs that are due, each under a new epoch. `after` is the scope after which the round goes on. */
export const claimRuns = async (
  { kernel: { clock, db, failpoints }, nodeId }: Needs,
  claim: ClaimLimits & { after: string },
): Promise<Claimed> => {
  await failpoints.hit('claim: before')
  const claimed = await claimRunsUnscoped(db, { ...claim, nodeId, now: clock.now() })
  if (claimed.runs.length > 0) await failpoints.hit('claim: claimed')
  return claimed
}

/** With what they have done. */
export const readClaimed = async (
  { kernel: { db, failpoints } }: Needs,
  runs: readonly RunRow[],
): Promise<ClaimedRun[]> => {
  if (runs.length === 0) return []
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
