/** Pure. The error for a reached limit: which one, and when it ends. */
import { AppError } from '#kernel/errors.ts'
import { TemporaryLimit } from '#kernel/meter.ts'
import { addDays, nextMonthStart, secondsUntil } from './calendar.ts'
import type { LimitRow } from './queries/limits.ts'
import type { Counter } from './token-counters.ts'

const whose: Record<LimitRow['subjectType'], string> = {
  everyone: 'The limit for each person',
  user: 'Your limit',
  group: 'The limit for each member of your group',
  organization: 'The limit that your organization shares',
  key: 'The limit of this API key',
}

const spelled = (count: number): string => count.toLocaleString('en-US')

export const rateReached = (limit: LimitRow, perMinute: number, retryAfterSec: number): TemporaryLimit =>
  new TemporaryLimit({
    detail: `${whose[limit.subjectType]} is ${spelled(perMinute)} requests per minute. Try again in ${retryAfterSec} s.`,
    retryAfterSec,
  })

/** When calls that take seconds have usually ended. */
const heldRetrySec = 10

/** A call doesn't fit in what the running ones leave of a budget that isn't used up. */
export const budgetHeld = (limit: LimitRow): TemporaryLimit =>
  new TemporaryLimit({
    detail: `${whose[limit.subjectType]} isn't used up, but calls that are running may use the rest. Try again when they have ended.`,
    retryAfterSec: heldRetrySec,
  })

/** The request is larger than the rest, and no shorter answer helps: nothing of it is sent. */
export const budgetTooSmall = (
  limit: LimitRow,
  counter: Counter,
  { least, now }: { least: number; now: Date },
): AppError => {
  const left = leftOf(limit, counter)
  const isMonthly = limit.tokensPerMonth !== null && limit.tokensPerMonth - counter.earlier - counter.today === left
  const ends = isMonthly ? nextMonthStart(counter.day) : addDays(counter.day, 1)
  return new AppError('usage_limit_reached', {
    detail: `${whose[limit.subjectType]} has ${spelled(left)} tokens left, and this request needs at least ${spelled(least)}. It resets on ${ends} at 00:00 UTC.`,
    retryAfterSec: secondsUntil(ends, now),
  })
}

/** What is left of a limit, of the day's or the month's budget, whichever is less. */
export const leftOf = ({ tokensPerDay, tokensPerMonth }: LimitRow, { earlier, today }: Counter): number =>
  Math.min(
    (tokensPerDay ?? Number.POSITIVE_INFINITY) - today,
    (tokensPerMonth ?? Number.POSITIVE_INFINITY) - earlier - today,
  )

const budgetSpent = (limit: LimitRow, allowance: string, { ends, now }: { ends: string; now: Date }): AppError =>
  new AppError('usage_limit_reached', {
    detail: `${whose[limit.subjectType]}, ${allowance}, is used up. It resets on ${ends} at 00:00 UTC.`,
    retryAfterSec: secondsUntil(ends, now),
  })

/** The error for a spent budget; undefined while there is something left. */
export const findSpentBudget = (limit: LimitRow, { day, earlier, today }: Counter, now: Date): AppError | undefined => {
  const { tokensPerDay, tokensPerMonth } = limit
  // The month first: where both are spent, the longer wait is the true one.
  if (tokensPerMonth !== null && earlier + today >= tokensPerMonth)
    return budgetSpent(limit, `${spelled(tokensPerMonth)} tokens per month`, { ends: nextMonthStart(day), now })
  if (tokensPerDay !== null && today >= tokensPerDay)
    return budgetSpent(limit, `${spelled(tokensPerDay)} tokens per day`, { ends: addDays(day, 1), now })
  return undefined
}
