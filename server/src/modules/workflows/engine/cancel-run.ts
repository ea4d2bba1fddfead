/** Ends a run on someone's request and aborts what it is doing. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EngineContext } from './context.ts'
import { getRun } from './get-run.ts'

export const cancelRun = async ({ kernel, store }: EngineContext, actor: Actor, id: string): Promise<void> => {
  await getRun(kernel.db, actor, id)
  const ended = await store.end([id], { status: 'cancelled', error: `Cancelled by ${actor.name}.` })
  if (!ended.some((run) => run.id === id)) throw new AppError('run_finished')
}
