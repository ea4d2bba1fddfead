/** Registers every job in the database: its queue, options and schedule. Idempotent and cheap. */
import { isDeepStrictEqual } from 'node:util'
import type { PgBoss, Queue, QueueResult } from 'pg-boss'
import { nilId } from '../ids.ts'
import type { JobDefinition } from './job.ts'

/** Jobs whose last attempt failed are kept here, with its error, for an operator to look at. */
export const deadLetterQueue = 'jobs.dead'

type QueueOptions = Omit<Queue, 'name'>

const day = 86_400
const deadLetters: QueueOptions = {
  notify: false,
  policy: 'standard',
  retentionSeconds: 30 * day,
  deleteAfterSeconds: day,
}

/** A finished job is deleted soon: the dead letters tell what failed, and a small table stays fast. */
const optionsOf = ({ queue }: JobDefinition): QueueOptions => ({
  policy: queue.policy,
  retryLimit: queue.retryLimit,
  retryDelay: queue.retryDelaySec,
  retryBackoff: queue.retryBackoff,
  ...(queue.retryBackoff && { retryDelayMax: queue.retryDelayMaxSec }),
  expireInSeconds: queue.expireInSec,
  heartbeatSeconds: queue.heartbeatSec,
  deleteAfterSeconds: 3600,
  deadLetter: deadLetterQueue,
  notify: true,
})

const differs = (wanted: QueueOptions, found: QueueResult): boolean =>
  Object.entries(wanted).some(([option, value]) => found[option as keyof QueueResult] !== value)

const changeQueue = async (boss: PgBoss, found: QueueResult, { policy, ...wanted }: QueueOptions): Promise<void> => {
  if (policy !== found.policy)
    throw new Error(
      `The policy of job ${found.name} is ${found.policy} and cannot be changed; give the job a new name instead.`,
    )
  await boss.updateQueue(found.name, wanted)
}

/**
 * pg-boss looks a new queue up on its first use, on a separate connection. If that happened inside a transaction, all
 * connections could be held by transactions that wait for one more, so the first use is here.
 */
const lookUpNow = (boss: PgBoss, name: string) => boss.findJobs(name, { id: nilId })

/**
 * The queue in which pg-boss puts jobs of schedules that are due. Without announcements its worker asks for them every
 * second.
 */
const scheduledQueue = '__pgboss__send-it'

export const prepareQueues = async (boss: PgBoss, jobs: readonly JobDefinition[]): Promise<void> => {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const wanted = new Map([[deadLetterQueue, deadLetters], ...jobs.map((job) => [job.name, optionsOf(job)] as const)])
  for (const [name, options] of wanted) {
    const found = known.get(name)
    if (found && !differs(options, found)) continue
    if (found) await changeQueue(boss, found, options)
    else await boss.createQueue(name, options)
    await lookUpNow(boss, name)
  }
  // It exists where schedules are handled.
  if (known.get(scheduledQueue)?.notify === false) await boss.updateQueue(scheduledQueue, { notify: true })
}

const timetableKey = 'timetable'

export const prepareTimetables = async (boss: PgBoss, jobs: readonly JobDefinition[]): Promise<void> => {
  const known = new Map((await boss.getSchedules()).map((schedule) => [`${schedule.name} ${schedule.key}`, schedule]))
  for (const { name, timetable, parse } of jobs) {
    const found = known.get(`${name} ${timetableKey}`)
    if (!timetable && found) await boss.unschedule(name, timetableKey)
    if (!timetable) continue
    const { cron, timezone = 'UTC' } = timetable
    const data = parse(timetable.data)
    if (found?.cron === cron && found.timezone === timezone && isDeepStrictEqual(found.data, data)) continue
    await boss.schedule(name, cron, data, { key: timetableKey, tz: timezone })
  }
}
