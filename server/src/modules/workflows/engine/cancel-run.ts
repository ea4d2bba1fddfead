/** Ends a run on someone's request and aborts what it is doing. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { recordRunAction } from '../record-action.ts'
import type { EngineContext } from './context.ts'
import { getRun } from './get-run.ts'

export const cancelRun = async (
  { kernel, store }: EngineContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> => {
  await getRun(kernel.db, actor, id)
  const reason = { status: 'cancelled', error: `Cancelled by ${actor.name}.` } as const
  await store.end([id], reason, async (tx, ended) => {
    const run = ended.find((one) => one.id === id)
    if (!run) throw new AppError('run_finished')
    await recordRunAction({ kernel }, tx, { action: 'cancel', actor, from, run })
  })
}
