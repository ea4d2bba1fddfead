/**
 * One evaluating thread with its watchdog. A case that does not end within its time, or runs out of memory, is blamed
 * after a second try; the thread is replaced, and the other cases of the job go on.
 */
import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'
import { threadEnv } from '../process/thread-env.ts'
import { openAllowances } from './allowances.ts'
import { createJobQueue } from './job-queue.ts'
import {
  buildJob,
  type Case,
  type Cases,
  collectReply,
  collectStates,
  type EvaluationError,
  type Verdict,
} from './worker-jobs.ts'
import { type Job, type JobReply, notStarted, openProgress } from './worker-protocol.ts'

/** Every check without progress counts, so that a machine that stood still is not taken for an endless expression. */
const usualCheckMs = 50
const maxIdleChecks = 20
/** Loading the program may take long on a busy machine. */
const maxStartChecks = 1200
/** The thread is replaced before it has compiled more expressions than this. */
const maxKnown = 20_000
const usualMemoryMb = 256
/** What an evaluation is charged that had to be ended from outside. */
const endedChargeMs = 1000

export interface WorkerThread {
  /** One verdict for each text, in order. */
  run(cases: Cases): Promise<Verdict[]>
  stop(): Promise<void>
}

type Ending = { reply: JobReply } | { failure: 'timeout' | 'memory' | 'crash' }

interface Options {
  log: Pick<Log, 'warn'>
  /** The thread's program; tests put in one that misbehaves. */
  program?: URL
  /** The time between checks of the thread's progress. */
  checkEveryMs?: number
  memoryMb?: number
  /** What it can't evaluate is tried on no other thread, though its owner has an allowance. */
  isLastResort?: boolean
}

export const createWorkerThread = ({
  log,
  program = new URL('./worker.ts', import.meta.url),
  checkEveryMs = usualCheckMs,
  memoryMb = usualMemoryMb,
  isLastResort = false,
}: Options): WorkerThread => {
  let worker: Worker | undefined
  const known = new Map<string, number>()
  let isStopped = false

  const start = (): Worker => {
    const started = new Worker(program, {
      name: 'expressions',
      env: threadEnv(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 2 },
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

  const work = async (all: readonly Case[]): Promise<Verdict[]> => {
    const verdicts = new Array<Verdict | undefined>(all.length).fill(undefined)
    let suspect: number | undefined
    for (;;) {
      const open = [...verdicts.keys()].filter((index) => verdicts[index] === undefined)
      if (open.length === 0) return verdicts as Verdict[]
      if (isStopped) throw new Error('the evaluation of expressions was stopped')
      if (known.size + open.length > maxKnown) await end()
      const cases = open.flatMap((index) => all[index] ?? [])
      const job = buildJob(cases, known)
      const ending = await send(job)
      if ('reply' in ending) collectReply({ all, open, verdicts }, job, ending.reply)
      else {
        await end()
        collectStates({ all, open, verdicts }, job)
        const blamed = open[Math.max(0, Atomics.load(openProgress(job.progress).current, 0))] ?? 0
        log.warn({ failure: ending.failure, expression: all[blamed]?.text }, 'An evaluation was ended from outside.')
        if (blamed === suspect) verdicts[blamed] = { error: endedBy[ending.failure] }
        else if (!isLastResort) chargeForAll(all[blamed])
        suspect = blamed
      }
    }
  }

  return {
    run: createJobQueue(work),
    stop: async () => {
      isStopped = true
      await end()
    },
  }
}

/** Its owner has no time left on this thread: what is tried a second time is tried elsewhere. */
const chargeForAll = (blamed: Case | undefined): void => {
  const { memory } = blamed?.group ?? {}
  if (memory && blamed?.owner !== undefined) openAllowances(memory)[blamed.owner] = -endedChargeMs
}

const endedBy: Record<'timeout' | 'memory' | 'crash', EvaluationError> = {
  timeout: { kind: 'InternalError', message: 'InternalError: the evaluation took too long' },
  memory: { kind: 'InternalError', message: 'InternalError: the evaluation used too much memory' },
  crash: { kind: 'InternalError', message: 'InternalError: the evaluation ended unexpectedly' },
}
