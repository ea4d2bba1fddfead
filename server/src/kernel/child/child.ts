/** One child process: started, given one task at a time, watched, and killed when it breaks a limit. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { endsWithin } from '../ends-within.ts'
import { type ChildStart, commandFor } from './confinement.ts'
import { ChildFailure } from './failures.ts'
import { FrameTooLarge, kinds, readFrames } from './frames.ts'
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

export const startChild = (start: ChildStart): Child => {
  const { settings } = start
  const { file, args } = commandFor(start)
  const child = spawn(file, args, { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const pipe = child.stdio[3] as Duplex
  const stderr = keepTail(child)
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let failure: ChildFailure | undefined
  let current: { exchange: Exchange; free(): void } | undefined
  let tasksDone = 0
  let memoryAtStart = 0

  const end = (reason: ChildFailure): void => {
    failure ??= reason
    ready.reject(failure)
    current?.exchange.fail(failure)
  }
  const kill = (reason: ChildFailure): void => {
    child.kill('SIGKILL')
    end(reason)
  }
  const free = (): void => {
    const task = current
    current = undefined
    task?.free()
  }

  const listen = async (): Promise<void> => {
    for await (const frame of readFrames(pipe, settings.limits.messageBytes)) {
      if (frame.kind === kinds.ready) {
        memoryAtStart = memoryOf(child)
        ready.resolve()
      } else if (!current) return kill(new ChildFailure('child_protocol_error', 'The process spoke without a task.'))
      else if (await current.exchange.handle(frame)) free()
    }
  }
  // A broken pipe is noticed when the process ends.
  void listen().catch((problem: unknown) => {
    if (problem instanceof FrameTooLarge) kill(new ChildFailure('child_protocol_error', problem.message))
  })
  pipe.on('error', () => undefined)
  ready.promise.catch(() => undefined)
  const startTimer = setTimeout(() => kill(new ChildFailure('child_start_failed', 'It took too long.')), startMs)
  void ready.promise.finally(() => clearTimeout(startTimer)).catch(() => undefined)

  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const onEnd = async (reason: () => ChildFailure): Promise<void> => {
    // The last words on stderr tell why, and the last message may be the result; neither is waited for long.
    if (!failure) await endsWithin(closed, 2_000)
    end(reason())
    pipe.destroy()
    free()
    ended.resolve()
  }
  child.once('error', (problem) => void onEnd(() => new ChildFailure('child_start_failed', problem.message)))
  child.once('exit', (code, signal) => void onEnd(() => explainEnd({ code, signal, stderr: stderr() })))

  // Memory that one task leaves behind would be charged to the next: recycling at half of the limit is enough.
  const isSwollen = () => memoryOf(child) > (memoryAtStart + settings.limits.memoryMb) / 2

  const run = (job: Job): Promise<void> =>
    new Promise((resolve) => {
      const limits = { ...settings.limits, ...job.options.limits }
      const { signal } = job.options
      const exchange = startExchange(job, limits, { write: (frame) => void pipe.write(frame), kill })
      const unwatch = watch(child, limits, kill)
      let graceTimer: NodeJS.Timeout | undefined
      const cancel = () => {
        job.reject(signal?.reason)
        exchange.abandon()
        const late = () => kill(new ChildFailure('child_timeout', 'The task ignored that it was cancelled.'))
        graceTimer = setTimeout(late, settings.cancelGraceMs)
      }
      current = {
        exchange,
        free: () => {
          unwatch()
          clearTimeout(graceTimer)
          signal?.removeEventListener('abort', cancel)
          tasksDone += 1
          resolve()
        },
      }
      signal?.addEventListener('abort', cancel, { once: true })
      if (signal?.aborted) cancel()
    })

  return {
    pid: child.pid,
    ready: ready.promise,
    ended: ended.promise,
    run,
    kill,
    isWorn: () => failure !== undefined || tasksDone >= settings.recycleAfter || isSwollen(),
  }
}

const memoryOf = ({ pid = 0 }: ChildProcess): number => readResourceUse(pid)?.memoryMb ?? 0

const watch = (child: ChildProcess, limits: ChildLimits, kill: Child['kill']): (() => void) => {
  const { pid = 0 } = child
  const before = readResourceUse(pid)?.cpuMs ?? 0
  const look = () => {
    const use = readResourceUse(pid)
    if (!use) return
    if (use.memoryMb > limits.memoryMb) kill(new ChildFailure('child_out_of_memory', 'The task used too much memory.'))
    else if (use.cpuMs - before > limits.cpuMs)
      kill(new ChildFailure('child_cpu_limit', 'The task used too much processor time.'))
  }
  const looking = setInterval(look, watchEveryMs)
  const wall = setTimeout(() => kill(new ChildFailure('child_timeout', 'The task took too long.')), limits.wallMs)
  return () => {
    clearInterval(looking)
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
