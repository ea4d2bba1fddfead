/** Ends a run that somebody does not want any more, and cuts short what it is doing. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EngineContext } from './context.ts'
import { endRuns } from './end-runs.ts'
import { getRun } from './get-run.ts'

export const cancelRun = async (context: EngineContext, actor: Actor, id: string): Promise<void> => {
  await getRun(context.kernel.db, actor, id)
  const ended = await endRuns(context, [id], { status: 'cancelled', error: `Cancelled by ${actor.name}.` })
  if (!ended.some((run) => run.id === id)) throw new AppError('run_finished')
}
