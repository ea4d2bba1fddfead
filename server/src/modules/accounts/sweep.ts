/** Nightly: forgets what has lost its use. Ended sessions are kept for a while, for the sign-in history. */
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { AccountsContext } from './context.ts'
import { deleteVerificationsBeforeUnscoped } from './queries/email-verifications.ts'
import { deleteChallengesBeforeUnscoped } from './queries/login-challenges.ts'
import { deleteFailuresBeforeUnscoped } from './queries/login-failures.ts'
import { deleteSessionsEndedBeforeUnscoped } from './queries/sessions.ts'

const dayMs = 86_400_000

export const sweepJob = ({ db, clock }: AccountsContext): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'accounts.sweep',
    data: z.strictObject({}),
    timetable: { cron: '17 3 * * *', data: {} },
    handle: async () => {
      const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
      await deleteSessionsEndedBeforeUnscoped(db, daysAgo(90))
      await deleteChallengesBeforeUnscoped(db, daysAgo(1))
      await deleteFailuresBeforeUnscoped(db, daysAgo(1))
      await deleteVerificationsBeforeUnscoped(db, clock.now())
    },
  })
