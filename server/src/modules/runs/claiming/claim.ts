/** One pass of claiming: as many runs as there are slots for, and as this node has shown that it survives. */
import { lanesOfNode } from '#modules/event-bus/index.ts'
import { endCauseless } from '../ending/causes.ts'
import { type Claimed, type RunRow, roundStart } from '../queries/claims.ts'
import { forget, renewIfDue, resume, type Work } from './held-runs.ts'
import { claimRuns, readClaimed } from './leases.ts'
import { recoverLost } from './recover-lost.ts'

const claimSize = 100
/** A claim of a run that was claimed so often before, without progress, is its last one. */
const suspectClaims = 3

/** Returns whether there may be more to claim. */
export const claim = async (work: Work): Promise<boolean> => {
  const { context, slots, ramp, turn } = work
  const limit = work.isAccepting ? Math.min(slots.free(), ramp.room(), claimSize) : 0
  turn.wantsMore = limit === 0
  if (limit === 0) return false
  await renewIfDue(work)
  const { shared, alone } = slots
  const { helps } = turn
  turn.helps = false
  const { nodes } = context.kernel
  const claimed = await claimRuns(context, {
    ...{ limit, shared, alone, slots: slots.taken(), suspects: ramp.suspects(), after: turn.after },
    ...{ helps, lanes: lanesOfNode(nodes.id, nodes.workers()) },
  })
  Object.assign(turn, { after: claimed.after, isContended: claimed.isContended, wantsMore: claimed.chosen === limit })
  await begin(work, claimed.runs)
  const recovered = claimed.hasLost ? await recoverLost(context) : 0
  const isMore = recovered > 0 || hasMore(claimed, limit)
  turn.helps ||= helps && isMore
  return isMore
}

/** Where all that was chosen is here, only what is over its share is left. */
const hasMore = ({ chosen, runs, after }: Claimed, limit: number): boolean =>
  chosen === limit || runs.length < chosen || after !== roundStart

/** Those whose cause has ended meanwhile end here. */
const begin = async (work: Work, runs: readonly RunRow[]): Promise<void> => {
  const { context, slots, ramp } = work
  if (runs.length === 0) return
  for (const { id, scopeId, claims } of runs) {
    slots.begin(id, scopeId)
    ramp.begin(id, claims >= suspectClaims)
  }
  const waiting = new Set(runs.map(({ id }) => id))
  try {
    const ended = await endCauseless(context, runs)
    const going = runs.filter(({ id }) => !ended.has(id))
    for (const one of await readClaimed(context, going)) {
      waiting.delete(one.run.id)
      resume(work, one)
    }
  } finally {
    // They ended, or the database went away: then their leases expire.
    for (const id of waiting) forget(work, id)
  }
}
