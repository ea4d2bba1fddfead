/**
 * One evaluating thread with its watchdog. A case that does not end within its time, or runs out of memory, is blamed
 * after a second try; the thread is replaced, and the other cases of the job go on.
 */
import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'
import type { ErrorKind } from './errors.ts'
import type { Name } from './names.ts'
import {
  caseStates,
  createProgress,
  type Group,
  type Job,
  type JobReply,
  notStarted,
  openProgress,
} from './worker-protocol.ts'

/** Every check without progress counts, so that a machine that stood still is not taken for an endless expression. */
const checkEveryMs = 50
const maxIdleChecks = 20
/** Loading the program may take long on a busy machine. */
const maxStartChecks = 1200
/** The thread is replaced before it has compiled more expressions than this. */
const maxKnown = 20_000
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 2 }

/** How a case ended: whether it holds, or the JSON of its result, or what went wrong. */
export type Verdict = { holds: boolean } | { value: string } | { error: EvaluationError }

export interface EvaluationError {
  kind: ErrorKind
  /** Begins with the kind. */
  message: string
}

export interface Cases {
  kind: Job['kind']
  names: readonly Name[]
  groups: readonly { values: readonly unknown[]; texts: readonly string[] }[]
}

export interface WorkerThread {
  /** One verdict for each text, in order. Jobs are worked one after the other. */
  run(cases: Cases): Promise<Verdict[]>
  stop(): Promise<void>
}

type Ending = { reply: JobReply } | { failure: 'timeout' | 'memory' | 'crash' }

interface Flat {
  text: string
  group: number
}

interface Options {
  log: Pick<Log, 'warn'>
  /** The thread's program; tests put in one that misbehaves. */
  program?: URL
}

export const createWorkerThread = ({
  log,
  program = new URL('./worker.ts', import.meta.url),
}: Options): WorkerThread => {
  let worker: Worker | undefined
  const known = new Map<string, number>()
  let queue: Promise<unknown> = Promise.resolve()
  let isStopped = false

  const start = (): Worker => {
    const started = new Worker(program, {
      name: 'expressions',
      env: {},
      execArgv: [],
      resourceLimits,
    })
    started.unref()
    return started
  }
  const end = async (): Promise<void> => {
    const ending = worker
    worker = undefined
    known.clear()
    await ending?.terminate()
  }

  /** Sends a job and waits for its reply, its deadline, or the end of the thread. */
  const send = (job: Job): Promise<Ending> =>
    new Promise((resolve) => {
      const thread = worker ?? start()
      worker = thread
      const { current } = openProgress(job.progress)
      let seen = notStarted
      let idleChecks = 0
      const timer = setInterval(() => {
        const now = Atomics.load(current, 0)
        idleChecks = now === seen ? idleChecks + 1 : 0
        seen = now
        if (idleChecks >= (now === notStarted ? maxStartChecks : maxIdleChecks)) finish({ failure: 'timeout' })
      }, checkEveryMs)
      const onMessage = (reply: JobReply): void => finish({ reply })
      const onError = (problem: Error & { code?: string }): void =>
        finish({ failure: problem.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash' })
      const onExit = (): void => finish({ failure: 'crash' })
      const finish = (ending: Ending): void => {
        clearInterval(timer)
        thread.off('message', onMessage).off('error', onError).off('exit', onExit)
        // A late error of a thread that is being ended is of no interest.
        if ('failure' in ending) thread.on('error', () => undefined)
        resolve(ending)
      }
      thread.on('message', onMessage).on('error', onError).on('exit', onExit)
      thread.postMessage(job)
    })

  const prepare = (cases: Cases, indexes: readonly number[], flat: readonly Flat[]): Job => {
    const learn: Job['learn'][number][] = []
    const names = JSON.stringify(cases.names)
    const idOf = (text: string): number => {
      const key = `${names}\n${text}`
      const id = known.get(key)
      if (id !== undefined) return id
      known.set(key, known.size)
      learn.push({ id: known.size - 1, text, names: cases.names })
      return known.size - 1
    }
    const groups: (Group & { ids: number[] })[] = []
    let last = -1
    for (const index of indexes) {
      const one = flat[index]
      if (!one) continue
      if (one.group !== last) groups.push({ values: JSON.stringify(cases.groups[one.group]?.values ?? []), ids: [] })
      last = one.group
      groups.at(-1)?.ids.push(idOf(one.text))
    }
    return { kind: cases.kind, learn, groups, progress: createProgress(indexes.length) }
  }

  const runAll = async (cases: Cases): Promise<Verdict[]> => {
    const flat = cases.groups.flatMap(({ texts }, group) => texts.map((text): Flat => ({ text, group })))
    const verdicts = new Array<Verdict | undefined>(flat.length).fill(undefined)
    let suspect: number | undefined
    for (;;) {
      const open = [...verdicts.keys()].filter((index) => verdicts[index] === undefined)
      if (open.length === 0) return verdicts as Verdict[]
      if (isStopped) throw new Error('the evaluation of expressions was stopped')
      if (known.size + open.length > maxKnown) await end()
      const job = prepare(cases, open, flat)
      const ending = await send(job)
      if ('reply' in ending) collect(verdicts, { open, job, reply: ending.reply })
      else {
        await end()
        if (job.kind === 'test') collectStates(verdicts, open, job)
        const blamed = open[Math.max(0, Atomics.load(openProgress(job.progress).current, 0))] ?? 0
        log.warn({ failure: ending.failure, expression: flat[blamed]?.text }, 'An evaluation was ended from outside.')
        if (blamed === suspect) verdicts[blamed] = { error: endedBy[ending.failure] }
        suspect = blamed
      }
    }
  }

  return {
    run: (cases) => {
      const result = queue.then(() => runAll(cases))
      queue = result.catch(() => undefined)
      return result
    },
    stop: async () => {
      isStopped = true
      await end()
    },
  }
}

const endedBy: Record<'timeout' | 'memory' | 'crash', EvaluationError> = {
  timeout: { kind: 'InternalError', message: 'InternalError: the evaluation took too long' },
  memory: { kind: 'InternalError', message: 'InternalError: the evaluation used too much memory' },
  crash: { kind: 'InternalError', message: 'InternalError: the evaluation ended unexpectedly' },
}

/** Reads from shared memory what was decided. Errors are left open here, since their messages are elsewhere. */
const collectStates = (verdicts: (Verdict | undefined)[], open: readonly number[], { progress }: Job): void => {
  const { states } = openProgress(progress)
  for (const [position, index] of open.entries()) {
    const state = states[position]
    if (state === caseStates.isTrue || state === caseStates.isFalse)
      verdicts[index] = { holds: state === caseStates.isTrue }
  }
}

interface Finished {
  open: readonly number[]
  job: Job
  reply: JobReply
}

const collect = (verdicts: (Verdict | undefined)[], { open, job, reply }: Finished): void => {
  if (job.kind === 'test') collectStates(verdicts, open, job)
  for (const [position, value] of reply.values.entries()) {
    const index = open[position]
    if (index !== undefined && value !== undefined) verdicts[index] = { value }
  }
  for (const { index: position, kind, message } of reply.errors) {
    const index = open[position]
    if (index !== undefined) verdicts[index] = { error: { kind, message } }
  }
}
