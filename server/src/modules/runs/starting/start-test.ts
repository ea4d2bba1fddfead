/** Inserts a run that tries a draft, with the results that were given for it, in the caller's transaction. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RunRow } from '../queries/runs.ts'
import { insertPinnedStepsUnscoped, type PinnedStep } from '../queries/steps.ts'
import { takeRunsNow } from '../quotas.ts'
import type { RunsContext } from '../shared/context.ts'
import { buildRun, insertNewRuns } from '../shared/create-runs.ts'
import type { NewRun } from '../shared/new-run.ts'
import { recordRunAction } from '../shared/record-run-action.ts'

export interface TestStart {
  run: NewRun
  /** Of nodes that are not run. */
  results: readonly PinnedStep[]
  actor: Actor
  from: Origin
}

export const startTest = async (
  { kernel }: Pick<RunsContext, 'kernel'>,
  tx: Db,
  { run: wanted, results, actor, from }: TestStart,
): Promise<RunRow> => {
  takeRunsNow(kernel, wanted.live.scopeId)
  const run = buildRun(kernel, wanted)
  await insertNewRuns(tx, [run])
  await insertPinnedStepsUnscoped(tx, { runId: run.id, at: kernel.clock.now(), steps: results })
  await recordRunAction({ kernel }, tx, { action: 'start', actor, from, run, detail: { test: true } })
  return run as RunRow
}
