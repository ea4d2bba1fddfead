/** A job: a name, the schema of its data, the handler, and how it is retried. */
import type { z } from 'zod'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'

export interface JobContext {
  jobId: string
  /** 1 for the first attempt. A crash and a shutdown count as attempts too. */
  attempt: number
  /** Aborted when the job ran out of time, lost its claim, or the server must stop now. */
  signal: AbortSignal
  log: Log
}

/**
 * The number of jobs of a kind that may exist, counted per `singletonKey` where jobs are enqueued with one:
 * - `short`: one waiting, any number running;
 * - `singleton`: one running, any number waiting;
 * - `stately`: one waiting and one running;
 * - `exclusive`: one, waiting or running.
 * Fixed for a name: to change it, give the job a new name.
 */
type JobPolicy = 'standard' | 'short' | 'singleton' | 'stately' | 'exclusive'

/** A fixed schedule, stored in the database from the job's first start on. */
interface Timetable<Data extends object> {
  cron: string
  timezone?: string
  data: Data
}

/** For a job that ended the server three times. */
export interface HeldJob<Data extends object> {
  /** A short line for platform admins, without contents, and whose work it is. */
  describe(db: Db, data: Data): Promise<{ what: string; scopeId: string | null } | undefined>
  /** Shows its owner that it isn't worked on. Called again whenever somebody enqueues it meanwhile. */
  hold?(tx: Db, data: Data): Promise<void>
  /** Undoes `hold`; the job is enqueued afterwards. */
  release?(tx: Db, data: Data): Promise<void>
}

interface JobSpec<Data extends object> {
  /** `area.verb`. It names the queue in the database, where waiting jobs outlive a release, so it never changes. */
  name: string
  /** Checked when enqueued and again before it runs. Pass ids rather than contents: rows change while a job waits. */
  data: z.ZodType<Data>
  policy?: JobPolicy
  /** Repetitions of a failed attempt. */
  retryLimit?: number
  retryDelaySec?: number
  /** Doubles the delay with each attempt, with some jitter. */
  retryBackoff?: boolean
  retryDelayMaxSec?: number
  /** An attempt that takes longer is aborted and counts as failed. */
  expireInSec?: number
  /** Seconds without a heartbeat until its worker counts as dead, at least 10; another node has the job about 7 s later. */
  heartbeatSec?: number
  /** Jobs that run at once in each process. */
  concurrency?: number
  /** Of these, the most of one group; jobs that are enqueued without a group aren't counted. */
  perGroup?: number
  timetable?: Timetable<Data>
  held?: HeldJob<Data>
  handle(data: Data, context: JobContext): Promise<void>
}

type QueueOptions = Required<
  Omit<JobSpec<never>, 'name' | 'data' | 'timetable' | 'held' | 'handle' | 'concurrency' | 'perGroup'>
>

/** Made by `defineJob`; a list may hold definitions of different data. */
export interface JobDefinition<out Data extends object = object> {
  readonly name: string
  readonly concurrency: number
  readonly perGroup: number | undefined
  readonly queue: QueueOptions
  readonly timetable: Timetable<Data> | undefined
  /** Of data that was worked before. */
  readonly held: HeldJob<object> | undefined
  /** Throws a ZodError for data that does not fit. */
  parse(data: unknown): Data
  work(data: unknown, context: JobContext): Promise<void>
}

const defaults: QueueOptions = {
  policy: 'standard',
  retryLimit: 5,
  retryDelaySec: 2,
  retryBackoff: true,
  retryDelayMaxSec: 600,
  expireInSec: 900,
  heartbeatSec: 20,
}

export const defineJob = <Data extends object>(spec: JobSpec<Data>): JobDefinition<Data> => {
  const { name, data, handle, timetable, held, concurrency = 2, perGroup, ...queue } = spec
  return {
    name,
    concurrency,
    perGroup,
    queue: { ...defaults, ...queue },
    timetable,
    held: held && onStoredData(held, (raw) => data.parse(raw)),
    parse: (raw) => data.parse(raw),
    work: async (raw, context) => {
      const checked = data.safeParse(raw)
      if (!checked.success) throw new PermanentFailure(`The job's data does not fit: ${checked.error.message}`)
      await handle(checked.data, context)
    },
  }
}

const onStoredData = <Data extends object>(held: HeldJob<Data>, parse: (raw: object) => Data): HeldJob<object> => ({
  describe: (db, raw) => held.describe(db, parse(raw)),
  hold: async (tx, raw) => held.hold?.(tx, parse(raw)),
  release: async (tx, raw) => held.release?.(tx, parse(raw)),
})

/**
 * Thrown by a handler that began nothing, since the work has a lease of its own which somebody holds: a server that died
 * under it, perhaps. What is known of such deaths is not forgotten. With `isEnough`, its holder or a sweep finishes
 * it, and the job is over.
 */
export class ClaimedElsewhere extends Error {
  override readonly name = 'ClaimedElsewhere'
  readonly isEnough: boolean

  constructor(message: string, { isEnough = false } = {}) {
    super(message)
    this.isEnough = isEnough
  }
}

/** Thrown by a handler when another attempt cannot help: the job goes straight to the dead letters. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}
