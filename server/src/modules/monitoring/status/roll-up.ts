/** The job that adds minutes up to ten minutes and to hours, and deletes what is old. */
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { deleteSamplesUnscoped, rollUpUnscoped } from './queries.ts'
import { ends } from './spans.ts'

export const rollUp = ({ clock, db }: Pick<Kernel, 'clock' | 'db'>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { closed, minutesBefore, tenMinutesBefore, hoursBefore } = ends(clock.now())
    await rollUpUnscoped(tx, { source: 60, step: 600, until: closed })
    await rollUpUnscoped(tx, { source: 600, step: 3600, until: closed })
    await deleteSamplesUnscoped(tx, { step: 60, before: minutesBefore })
    await deleteSamplesUnscoped(tx, { step: 600, before: tenMinutesBefore })
    await deleteSamplesUnscoped(tx, { step: 3600, before: hoursBefore })
  })

export const rollUpJob = (kernel: Pick<Kernel, 'clock' | 'db'>): JobDefinition =>
  defineJob({
    name: 'monitoring.status',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '*/10 * * * *', data: {} },
    handle: () => rollUp(kernel),
  })
