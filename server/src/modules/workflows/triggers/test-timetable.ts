/** Tries a schedule while it is being written: returns its next times, or what is wrong with it. */
import type { TimetableTestBody, TimetableTestReply } from '@chancery/contract/workflows/triggers.ts'
import type { z } from 'zod'
import { unixSeconds } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { getWorkflow } from '../definitions/get-workflow.ts'
import { checkTimetable, nextTimes, type Timetable } from './timetable.ts'

const shownTimes = 5

type Reply = z.input<typeof TimetableTestReply>

export const testTimetable = async (
  { kernel: { db, clock } }: Pick<WorkflowsContext, 'kernel'>,
  actor: Actor,
  { workflowId, body: { cron, timezone = 'UTC' } }: { workflowId: string; body: z.output<typeof TimetableTestBody> },
): Promise<Reply> => {
  await getWorkflow(db, actor, workflowId)
  const now = clock.now()
  const error = findError({ cron, timezone }, now)
  return { error, next_times: error ? [] : nextTimes({ cron, timezone }, now, shownTimes).map(unixSeconds) }
}

const findError = (timetable: Timetable, now: Date): Reply['error'] => {
  try {
    checkTimetable(timetable, now)
    return null
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.code !== 'validation_failed') throw problem
    const [found] = problem.problems ?? []
    const field = found?.loc.at(-1) === 'timezone' ? 'timezone' : 'cron'
    return { field, message: found?.msg ?? problem.message }
  }
}
