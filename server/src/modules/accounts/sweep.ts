/** Nightly: forgets what has lost its use. Ended sessions are kept for a while, for the sign-in history. */
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { AccountsContext } from './context.ts'
import { deleteChallengesBefore } from './queries/login-challenges.ts'
import { deleteFailuresBefore } from './queries/login-failures.ts'
import { deleteSessionsEndedBefore } from './queries/sessions.ts'

const dayMs = 86_400_000

export const sweepJob = ({ db, clock }: AccountsContext): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'accounts.sweep',
    data: z.strictObject({}),
    timetable: { cron: '17 3 * * *', data: {} },
    handle: async () => {
      const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
      await deleteSessionsEndedBefore(db, daysAgo(90))
      await deleteChallengesBefore(db, daysAgo(1))
      await deleteFailuresBefore(db, daysAgo(1))
    },
  })
