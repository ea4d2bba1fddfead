/**
 * Statistics of a workflow. Once an hour the runs that ended are added up by workflow and hour, so that reading costs as
 * many rows as the period has hours, and the runs of the last hour or two.
 */
import type { WorkflowStats } from '@chancery/contract/workflows/stats.ts'
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { ModelsConfig } from '#modules/models/index.ts'
import { summarizeRuns } from '../core/run-stats.ts'
import {
  deleteHoursBeforeUnscoped,
  findFoldedUnscoped,
  foldHoursUnscoped,
  listHoursUnscoped,
  saveFoldedUnscoped,
} from '../queries/run-hours.ts'
import type { Definitions } from '../shared/definitions.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const keptMs = 100 * dayMs
/** The longest period that is shown. */
const oldestMs = 31 * dayMs
/** For commits that are under way, and clocks that differ. */
const marginMs = 5 * 60_000

const hourOf = (ms: number): number => Math.floor(ms / hourMs) * hourMs

type Needs = Pick<Kernel<ModelsConfig>, 'clock' | 'db' | 'config'>

interface Folding {
  kernel: Pick<Needs, 'clock' | 'db'>
  definitions: Pick<Definitions, 'allIds'>
}

export const runHoursJob = (needs: Folding): JobDefinition =>
  defineJob({
    name: 'workflows.run-hours',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '7 * * * *', data: {} },
    handle: (_data, { signal }) => foldRunHours(needs, signal),
  })

/** Day by day, each in a transaction of its own: after a crash it goes on where it was. */
const foldRunHours = async ({ kernel: { clock, db }, definitions }: Folding, signal: AbortSignal): Promise<void> => {
  const now = clock.now().getTime()
  const end = hourOf(now - marginMs)
  let until = (await findFoldedUnscoped(db))?.getTime() ?? end - oldestMs
  while (until < end && !signal.aborted) {
    const next = Math.min(until + dayMs, end)
    // With the last hour once more, should a commit have come late.
    const span = { from: new Date(until - hourMs), to: new Date(next) }
    await db.transaction().execute(async (tx) => {
      await foldHoursUnscoped(tx, definitions.allIds, span)
      await saveFoldedUnscoped(tx, span.to)
    })
    until = next
  }
  await deleteHoursBeforeUnscoped(db, new Date(now - keptMs))
}

/** 24 hours, 28 quarters of a day, or 30 days, up to now. */
const partHours = { 1: 1, 7: 6, 30: 24 } as const

export const readStats = async (
  { clock, db, config }: Needs,
  workflowId: string,
  days: 1 | 7 | 30,
): Promise<WorkflowStats> => {
  const from = new Date(hourOf(clock.now().getTime()) + hourMs - days * dayMs)
  const folded = (await findFoldedUnscoped(db)) ?? from
  const rows = await listHoursUnscoped(db, workflowId, { from, folded })
  const period = { from, parts: (days * 24) / partHours[days], partHours: partHours[days] }
  return { ...summarizeRuns(rows, { ...period, currency: config.SVC_CURRENCY }), currency: config.SVC_CURRENCY }
}
