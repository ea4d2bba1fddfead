/** Ends a run on someone's request and aborts what it is doing. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RunsContext } from '../shared/context.ts'
import { getRun } from '../shared/get-run.ts'
import { recordRunAction } from '../shared/record-run-action.ts'
import { endRuns } from './end-runs.ts'

export const cancelRun = async (
  context: Pick<RunsContext, 'kernel' | 'notifier' | 'hooks' | 'signatures' | 'endFamilies'>,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> => {
  const { kernel, signatures } = context
  await getRun(kernel.db, actor, id)
  const open = await signatures.listOpenUnscoped(kernel.db, id)
  const reason = { status: 'cancelled', error: `Cancelled by ${actor.name}.${noteAbout(open)}` } as const
  await endRuns(context, [id], reason, async (tx, ended) => {
    const run = ended.find((one) => one.id === id)
    if (!run) throw new AppError('run_finished')
    await recordRunAction({ kernel }, tx, { action: 'cancel', actor, from, run })
  })
}

/** People may be reading a document that the run sent, so ending the run leaves it alone. */
const noteAbout = (titles: readonly string[]): string => {
  if (titles.length === 0) return ''
  const names = titles.map((title) => `"${title}"`).join(', ')
  return ` Still out for signature: ${names}. To stop this too, cancel it under Documents.`
}
