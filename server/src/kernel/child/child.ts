/** One child process: started, given one task at a time, watched, and killed when it breaks a limit. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { endsWithin } from '../ends-within.ts'
import { type ChildStart, commandFor } from './confinement.ts'
import { ChildFailure, type ChildFailureCode } from './failures.ts'
import { FrameTooLarge, kinds, readFrames } from './frames.ts'
import { giveWay, giveWayToChildren } from './give-way.ts'
import { readResourceUse } from './resource-use.ts'
import { type Exchange, type Job, startExchange } from './task-exchange.ts'
import type { ChildLimits } from './worker.ts'

export interface Child {
  readonly pid: number | undefined
  /** Resolves when the child can take a task; rejects with why it cannot. */
  readonly ready: Promise<void>
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  /** Settles the job; resolves when the child is free again, or gone. */
  run(job: Job): Promise<void>
  kill(failure: ChildFailure): void
  /** True once it has done its share of tasks, holds memory from them, was killed or has ended. */
  isWorn(): boolean
}

const startMs = 60_000
const watchEveryMs = 100
const keptStderr = 4_096

/** A process and what is known about it. */
interface State {
  start: ChildStart
  child: ChildProcess
  pipe: Duplex
  ready: PromiseWithResolvers<void>
  ended: PromiseWithResolvers<void>
  failure: ChildFailure | undefined
  current: { exchange: Exchange; free(): void } | undefined
  /** A task took so much processor time that it gave way to other children. */
  hadLongTask: boolean
  tasksDone: number
  memoryAtStart: number
}

export const startChild = (start: ChildStart): Child => {
  const { file, args } = commandFor(start)
  const child = spawn(file, args, { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  if (start.givesWay) giveWay(child)
  const state: State = {
    start,
    child,
    pipe: child.stdio[3] as Duplex,
    ready: Promise.withResolvers(),
    ended: Promise.withResolvers(),
    failure: undefined,
    current: undefined,
    hadLongTask: false,
    tasksDone: 0,
    memoryAtStart: 0,
  }
  // A broken pipe is noticed when the process ends.
  void listen(state).catch((problem: unknown) => {
    if (problem instanceof FrameTooLarge) kill(state, new ChildFailure('child_protocol_error', problem.message))
  })
  state.pipe.on('error', () => undefined)
  limitStart(state)
  followEnd(state)
  return {
    pid: child.pid,
    ready: state.ready.promise,
    ended: state.ended.promise,
    run: (job) => run(state, job),
    kill: (failure) => kill(state, failure),
    isWorn: () => isWorn(state),
  }
}

const end = (state: State, reason: ChildFailure): void => {
  state.failure ??= reason
  state.ready.reject(state.failure)
  state.current?.exchange.fail(state.failure)
}

const kill = (state: State, reason: ChildFailure): void => {
  state.child.kill('SIGKILL')
  end(state, reason)
}

const free = (state: State): void => {
  const task = state.current
  state.current = undefined
  task?.free()
}

const listen = async (state: State): Promise<void> => {
  for await (const frame of readFrames(state.pipe, state.start.settings.limits.messageBytes)) {
    if (frame.kind === kinds.ready) {
      state.memoryAtStart = memoryOf(state.child)
      state.ready.resolve()
    } else if (!state.current)
      return kill(state, new ChildFailure('child_protocol_error', 'The process spoke without a task.'))
    else if (await state.current.exchange.handle(frame)) free(state)
  }
}

const limitStart = (state: State): void => {
  const { promise } = state.ready
  promise.catch(() => undefined)
  const timer = setTimeout(() => kill(state, new ChildFailure('child_start_failed', 'It took too long.')), startMs)
  void promise.finally(() => clearTimeout(timer)).catch(() => undefined)
}

const followEnd = (state: State): void => {
  const { child, pipe } = state
  const stderr = keepTail(child)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const onEnd = async (reason: () => ChildFailure): Promise<void> => {
    // The last words on stderr tell why, and the last message may be the result; neither is waited for long.
    if (!state.failure) await endsWithin(closed, 2_000)
    end(state, reason())
    pipe.destroy()
    free(state)
    state.ended.resolve()
  }
  child.once('error', (problem) => void onEnd(() => new ChildFailure('child_start_failed', problem.message)))
  child.once('exit', (code, signal) => void onEnd(() => explainEnd({ code, signal, stderr: stderr() })))
}

const run = (state: State, job: Job): Promise<void> =>
  new Promise((resolve) => {
    const { settings } = state.start
    const limits = { ...settings.limits, ...job.options.limits }
    const { signal } = job.options
    const end = (failure: ChildFailure) => kill(state, failure)
    const exchange = startExchange(job, limits, { write: (frame) => void state.pipe.write(frame), kill: end })
    const unwatch = watch(state, limits)
    let graceTimer: NodeJS.Timeout | undefined
    const cancel = () => {
      job.reject(signal?.reason)
      exchange.abandon()
      const late = () => end(new ChildFailure('child_timeout', 'The task ignored that it was cancelled.'))
      graceTimer = setTimeout(late, settings.cancelGraceMs)
    }
    state.current = {
      exchange,
      free: () => {
        unwatch()
        clearTimeout(graceTimer)
        signal?.removeEventListener('abort', cancel)
        state.tasksDone += 1
        resolve()
      },
    }
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
  })

const isWorn = ({ start, child, failure, hadLongTask, tasksDone, memoryAtStart }: State): boolean => {
  const { recycleAfter, limits } = start.settings
  if (failure !== undefined || hadLongTask || tasksDone >= recycleAfter) return true
  // Memory that one task leaves behind would be charged to the next: recycling at half of the limit is enough.
  return memoryOf(child) > (memoryAtStart + limits.memoryMb) / 2
}

const memoryOf = ({ pid = 0 }: ChildProcess): number => readResourceUse(pid)?.memoryMb ?? 0

const watch = (state: State, limits: ChildLimits): (() => void) => {
  const { pid = 0 } = state.child
  const end = (code: ChildFailureCode, sentence: string): void => kill(state, new ChildFailure(code, sentence))
  const before = readResourceUse(pid)?.cpuMs ?? 0
  const check = () => {
    const use = readResourceUse(pid)
    if (!use) return
    const cpuMs = use.cpuMs - before
    if (use.memoryMb > limits.memoryMb) return end('child_out_of_memory', 'The task used too much memory.')
    if (cpuMs > limits.cpuMs) return end('child_cpu_limit', 'The task used too much processor time.')
    if (cpuMs <= state.start.settings.longAfterCpuMs || state.hadLongTask) return
    state.hadLongTask = true
    if (state.start.givesWay) giveWayToChildren(state.child)
  }
  const checks = setInterval(check, watchEveryMs)
  const wall = setTimeout(() => end('child_timeout', 'The task took too long.'), limits.wallMs)
  return () => {
    clearInterval(checks)
    clearTimeout(wall)
  }
}

const keepTail = (child: ChildProcess): (() => string) => {
  let tail = ''
  child.stderr?.setEncoding('latin1').on('data', (text: string) => {
    tail = (tail + text).slice(-keptStderr)
  })
  return () => tail
}

interface End {
  code: number | null
  signal: NodeJS.Signals | null
  stderr: string
}

const explainEnd = ({ code, signal, stderr }: End): ChildFailure =>
  /out of memory|Allocation failed|Array buffer allocation|ERR_MEMORY_ALLOCATION_FAILED/i.test(stderr)
    ? new ChildFailure('child_out_of_memory', 'The process ran out of memory.')
    : new ChildFailure('child_crashed', `The process ended with ${signal ?? `code ${code}`}. ${stderr}`.trim())
