/**
 * Dispatches what is due, in groups. A group that fails is halved until the failing event is alone, so that it can't hold
 * up the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { refusesEveryWrite } from '#kernel/db/failures.ts'
import type { EventBusContext } from '../context.ts'
import { type BatchLimits, batchLimits } from '../payload.ts'
import { takeBatchesUnscoped } from '../queries/batches.ts'
import { takeSinglesUnscoped } from '../queries/dispatches.ts'
import type { Claim } from '../queries/lanes.ts'
import { takePostponedUnscoped } from '../queries/postponed.ts'
import { type DispatchMemory, dispatchDue, type TakeDue, type Taken } from './dispatch-due.ts'
import { recordFailure } from './record-failure.ts'
import { splitBatches } from './split-batches.ts'

/** While another node dispatches. */
export const busyMs = 50

/** `busy` while other nodes dispatch all of the lanes; `failed` if a failure was dealt with. */
export type GroupResult = Taken | 'busy' | 'failed'

interface GroupDispatch {
  /** Events that were published together; `from` is where the scan of a lane's queue starts. */
  batches(lanes: readonly number[], from: (lane: number) => number): Promise<GroupResult>
  /** Events that are dispatched on their own: retries, and those of batches that failed. */
  singles(lanes: readonly number[]): Promise<GroupResult>
  /** The turn of one tenant that is over its share. */
  turn(lane: number): Promise<GroupResult>
}

type OnFailure = (taken: Taken, problem: unknown) => Promise<void>
type TakeSome = (taken: Taken, seqs: readonly number[]) => TakeDue

/** What a tenant's turn looks at, at most. */
const turnLimits: BatchLimits = { events: 100, bytes: batchLimits.bytes }

export const createGroupDispatch = (context: EventBusContext, memory: DispatchMemory): GroupDispatch => {
  const dispatch = async (claim: Claim, take: TakeDue, onFailure: OnFailure): Promise<GroupResult> => {
    let taken: Taken | undefined
    const onTaken = (due: Taken): void => {
      taken = due
    }
    try {
      return (await dispatchDue(context, memory, { ...claim, take, onTaken })) ?? 'busy'
    } catch (problem) {
      // When nothing can be written, no event is to blame: none of them may end as a dead letter.
      if (!taken || refusesEveryWrite(problem)) throw problem
      await onFailure(taken, problem)
      return 'failed'
    }
  }
  const dispatchHalves = (takeSome: TakeSome): OnFailure => {
    const onFailure: OnFailure = async (taken, problem) => {
      const { lanes, scopeId, seqs } = taken
      const [first, second] = seqs
      if (first === undefined) return
      if (second === undefined) return recordFailure(context, { seq: first, scopeId }, problem)
      const claim = { lanes, isPostponed: scopeId !== undefined }
      const middle = Math.ceil(seqs.length / 2)
      for (const half of [seqs.slice(0, middle), seqs.slice(middle)])
        while ((await dispatch(claim, takeSome(taken, half), onFailure)) === 'busy') await sleep(busyMs)
    }
    return onFailure
  }
  const halvesOfSingles = dispatchHalves((_taken, seqs) => takeSingles(seqs))
  const halvesOfTurn = dispatchHalves(({ scopeId }, seqs) => takePostponed(scopeId && { scopeId, seqs }))
  return {
    batches: (lanes, from) =>
      dispatch(
        { lanes },
        (tx, request) => takeBatchesUnscoped(tx, { ...request, from, limits: batchLimits }),
        async (taken, problem) => {
          await splitBatches(context, taken, problem)
          await halvesOfSingles(taken, problem)
        },
      ),
    singles: (lanes) => dispatch({ lanes }, takeSingles(), halvesOfSingles),
    turn: (lane) => dispatch({ lanes: [lane], isPostponed: true }, takePostponed(), halvesOfTurn),
  }
}

const takeSingles =
  (seqs?: readonly number[]): TakeDue =>
  (tx, request) =>
    takeSinglesUnscoped(tx, { ...request, seqs, limits: batchLimits })

const takePostponed =
  (only?: { scopeId: string; seqs: readonly number[] } | '' | undefined): TakeDue =>
  (tx, request) =>
    takePostponedUnscoped(tx, { ...request, only: only || undefined, limits: turnLimits })
