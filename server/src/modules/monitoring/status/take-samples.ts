/**
 * Writes what this process counted in a minute, out of the metrics that `/metrics` shows. What is in the database is read by
 * whichever process comes first.
 */
import type { Kernel } from '#kernel/kernel.ts'
import {
  countedMetrics,
  countsIn,
  type Figures,
  growthOf,
  levelsIn,
  refusalName,
  sharedMetrics,
  topGrowth,
} from './measures.ts'
import { claimMinuteUnscoped, insertCountsUnscoped, saveLevelsUnscoped } from './queries.ts'
import { minuteOf } from './spans.ts'

type Needs = Pick<Kernel, 'clock' | 'db' | 'metrics'> & {
  nodes: Pick<Kernel['nodes'], 'id'>
  quotas: Pick<Kernel['quotas'], 'refused'>
}

/** How often a process looks whether a minute has ended. */
export const lookEveryMs = 5_000

/** To be called every few seconds; it writes when a minute has ended. */
export const createSampling = ({ clock, db, metrics, nodes, quotas }: Needs): (() => Promise<void>) => {
  let current = minuteOf(clock.now())
  let counted: Figures = {}
  let refused: Figures = {}

  const sample = async (at: Date): Promise<void> => {
    const counts = countsIn(await metrics.read(countedMetrics))
    const refusals = Object.fromEntries(quotas.refused().map((one) => [refusalName(one), one.times]))
    const growth = { ...growthOf(counts, counted), ...topGrowth(growthOf(refusals, refused)) }
    const isFirst = await claimMinuteUnscoped(db, at)
    if (await insertCountsUnscoped(db, { at, nodeId: nodes.id, counts: growth })) {
      counted = counts
      refused = refusals
    }
    if (isFirst) await saveLevelsUnscoped(db, at, levelsIn(await metrics.read(sharedMetrics)))
  }

  return async () => {
    const minute = minuteOf(clock.now())
    if (minute.getTime() === current.getTime()) return
    // The next try is a minute later, and has what this one would have written.
    current = minute
    await sample(new Date(minute.getTime() - 60_000))
  }
}
