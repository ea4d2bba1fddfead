/** A run of the actor's scope. A foreign one doesn't exist (404). */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { findRun, type RunRow } from '../queries/runs.ts'

export const getRun = async (db: Db, actor: Actor, id: string): Promise<RunRow> => {
  const run = isUuid(id) ? await findRun(db, actor, id) : undefined
  if (!run) throw new AppError('run_not_found')
  return run
}
