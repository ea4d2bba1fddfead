/**
 * Dispatches what is due, in groups. A group that fails is halved until the failing event is alone, so that it can't hold
 * up the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { refusesEveryWrite } from '#kernel/db/failures.ts'
import type { EventBusContext } from '../context.ts'
import { batchLimits } from '../payload.ts'
import { takeBatchesUnscoped } from '../queries/batches.ts'
import { type DueEvents, takeSinglesUnscoped } from '../queries/dispatches.ts'
import { dispatchDue, type TakeDue } from './dispatch-due.ts'
import { recordFailure } from './record-failure.ts'
import { splitBatches } from './split-batches.ts'
import { createSubscriptionIndex } from './subscription-index.ts'

/** While another node dispatches. */
export const busyMs = 50

/** `busy` while another node dispatches; `failed` if a failure was dealt with. */
type GroupResult = DueEvents | 'busy' | 'failed'

interface GroupDispatch {
  /** Events that were published together; `from` is where the scan of the queue starts. */
  batches(from: number): Promise<GroupResult>
  /** Events that are dispatched on their own: retries, and those of batches that failed. */
  singles(): Promise<GroupResult>
}

type OnFailure = (taken: DueEvents, problem: unknown) => Promise<void>

export const createGroupDispatch = (context: EventBusContext): GroupDispatch => {
  const index = createSubscriptionIndex()

  const dispatch = async (take: TakeDue, onFailure: OnFailure): Promise<GroupResult> => {
    let taken: DueEvents | undefined
    const onTaken = (due: DueEvents): void => {
      taken = due
    }
    try {
      return (await dispatchDue(context, index, { take, onTaken })) ?? 'busy'
    } catch (problem) {
      // When nothing can be written, no event is to blame: none of them may end as a dead letter.
      if (!taken || refusesEveryWrite(problem)) throw problem
      await onFailure(taken, problem)
      return 'failed'
    }
  }
  const dispatchHalves: OnFailure = async ({ seqs }, problem) => {
    const [first, second] = seqs
    if (first === undefined) return
    if (second === undefined) return recordFailure(context, first, problem)
    const middle = Math.ceil(seqs.length / 2)
    for (const half of [seqs.slice(0, middle), seqs.slice(middle)])
      while ((await dispatch(takeSingles(half), dispatchHalves)) === 'busy') await sleep(busyMs)
  }
  return {
    batches: (from) =>
      dispatch(
        (tx) => takeBatchesUnscoped(tx, { from, limits: batchLimits }),
        async (taken, problem) => {
          await splitBatches(context, taken, problem)
          await dispatchHalves(taken, problem)
        },
      ),
    singles: () => dispatch(takeSingles(), dispatchHalves),
  }
}

const takeSingles =
  (seqs?: readonly number[]): TakeDue =>
  (tx, now) =>
    takeSinglesUnscoped(tx, { now, seqs, limits: batchLimits })
