/** Nightly: forgets what has lost its use. Ended sessions are kept for a while, for the sign-in history. */
import { z } from 'zod'
import { inBatches } from '#kernel/jobs/in-batches.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { AccountsContext } from '../context.ts'
import { deleteVerificationsBeforeUnscoped } from '../queries/email-verifications.ts'
import { deleteChallengesBeforeUnscoped } from '../queries/login-challenges.ts'
import { deleteFailuresBeforeUnscoped } from '../queries/login-failures.ts'
import { deleteSessionsEndedBeforeUnscoped } from '../queries/sessions.ts'
import { listClosedUnscoped, lockUnusedUnscoped } from '../queries/users.ts'
import { deleteUserUnscoped } from './delete-user.ts'
import { closeAccountUnscoped } from './release-address.ts'

const dayMs = 86_400_000
const batchSize = 100

export const sweepJob = (context: AccountsContext): JobDefinition<Record<string, never>> => {
  const { db, clock } = context
  return defineJob({
    name: 'accounts.sweep',
    data: z.strictObject({}),
    timetable: { cron: '17 3 * * *', data: {} },
    handle: async (_data, { signal }) => {
      const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs)
      await inBatches(signal, () => closeUnused(context, daysAgo(7)))
      await inBatches(signal, () => deleteClosed(context, daysAgo(30)))
      await deleteSessionsEndedBeforeUnscoped(db, daysAgo(90))
      await deleteChallengesBeforeUnscoped(db, daysAgo(1))
      await deleteFailuresBeforeUnscoped(db, daysAgo(1))
      await deleteVerificationsBeforeUnscoped(db, clock.now())
    },
  })
}

/** Returns whether there may be more. */
const closeUnused = (context: AccountsContext, createdBefore: Date): Promise<boolean> =>
  context.db.transaction().execute(async (tx) => {
    const unused = await lockUnusedUnscoped(tx, { createdBefore, limit: batchSize })
    for (const user of unused) await closeAccountUnscoped(context, tx, { user, action: 'account.expire' })
    return unused.length === batchSize
  })

/** One transaction for each person, since what they own may be large. */
const deleteClosed = async (context: AccountsContext, closedBefore: Date): Promise<boolean> => {
  const closed = await listClosedUnscoped(context.db, { closedBefore, limit: batchSize })
  for (const { id } of closed) await deleteUserUnscoped(context, 'system', { userId: id })
  return closed.length === batchSize
}
