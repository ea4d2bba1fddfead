/** A run whose steps were deleted can't be continued: nothing would say what it has finished, and all of it would be repeated. */
import type { Db } from '#kernel/db/database.ts'
import type { RunRow } from '../queries/runs.ts'
import { listStepHeadsUnscoped } from '../queries/steps.ts'

export const lostSteps = "The steps of this run were deleted after their retention period, so it can't continue."

export const hasLostSteps = async (db: Db, { id, startedAt }: RunRow): Promise<boolean> =>
  startedAt !== null && (await listStepHeadsUnscoped(db, [id])).length === 0
