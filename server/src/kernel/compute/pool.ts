/** The computing threads, and who is next. */
import { createFairQueue } from '../turns/fair-queue.ts'
import { createKeyCounts } from '../turns/key-counts.ts'
import { type Ending, startThread, type Thread } from './thread.ts'
import type { Order } from './thread-protocol.ts'

export type PoolEnding = Ending | { end: 'refused' | 'stopped' }

interface Request {
  order: Omit<Order, 'phase'>
  deadlineMs: number
  owner: string
  signal: AbortSignal | undefined
}

interface Settings {
  threads: number
  memoryMb: number
  idleMs: number
  maxWaiting: number
  maxWaitingPerOwner: number
}

export interface Pool {
  run(request: Request): Promise<PoolEnding>
  state(): { waiting: number; running: number }
  stop(): Promise<void>
}

interface Waiting extends Request {
  settle(ending: PoolEnding): void
  fail(problem: unknown): void
}

export const createPool = (settings: Settings): Pool => {
  const { threads, memoryMb, idleMs, maxWaiting, maxWaitingPerOwner } = settings
  const queue = createFairQueue<Waiting>(maxWaiting, maxWaitingPerOwner)
  const idle = new Map<Thread, NodeJS.Timeout>()
  const used = new WeakSet<Thread>()
  const busy = new Map<Thread, Waiting>()
  /** A loop in native code may outlive its end for a while. */
  const ending = new Set<Promise<void>>()
  const running = createKeyCounts()
  let isStopped = false

  /** However long one owner's computations take, another's find a thread. */
  const mayRun = (owner: string): boolean => running.of(owner) < Math.ceil(threads / 2)

  const end = (thread: Thread): Promise<void> => {
    clearTimeout(idle.get(thread))
    idle.delete(thread)
    const gone = thread.end().finally(() => {
      ending.delete(gone)
      serve()
    })
    ending.add(gone)
    return gone
  }
  const rest = (thread: Thread): void => {
    idle.set(thread, setTimeout(() => void end(thread), idleMs).unref())
  }
  const takeThread = (): Thread => {
    const [thread] = [...idle.keys()].slice(-1)
    if (!thread) return startThread('compute', memoryMb)
    clearTimeout(idle.get(thread))
    idle.delete(thread)
    return thread.isAlive() ? thread : takeThread()
  }

  /** Memory that earlier computations left behind in a thread is not the fault of this one. */
  const runOn = async (thread: Thread, job: Waiting): Promise<void> => {
    const isFirst = !used.has(thread)
    used.add(thread)
    busy.set(thread, job)
    const outcome = await thread
      .run(job.order, job.deadlineMs)
      .catch((problem: unknown) => void job.fail(problem))
      .finally(() => busy.delete(thread))
    if (outcome?.end === 'deadline') void end(thread)
    if (thread.isAlive()) rest(thread)
    if (outcome?.end === 'memory' && !isFirst && !isStopped) return runOn(startThread('compute', memoryMb), job)
    if (outcome) job.settle(outcome)
  }
  const work = async (job: Waiting): Promise<void> => {
    running.add(job.owner, 1)
    await runOn(takeThread(), job)
    running.add(job.owner, -1)
    serve()
  }
  const hasRoom = (): boolean => !isStopped && busy.size < threads && ending.size < threads
  const serve = (): void => {
    while (hasRoom()) {
      const job = queue.next(mayRun)
      if (!job) return
      void work(job)
    }
  }

  const run: Pool['run'] = (request) =>
    new Promise((resolve, reject) => {
      const { owner, signal } = request
      const over =
        <Value>(how: (value: Value) => void) =>
        (value: Value): void => {
          signal?.removeEventListener('abort', leave)
          how(value)
        }
      const job: Waiting = { ...request, settle: over(resolve), fail: over(reject) }
      const leave = (): void => {
        queue.remove(owner, job)
        reject(signal?.reason)
      }
      if (isStopped) return resolve({ end: 'stopped' })
      if (!queue.push(owner, job)) return resolve({ end: 'refused' })
      signal?.addEventListener('abort', leave, { once: true })
      serve()
    })

  return {
    run,
    state: () => ({ waiting: queue.size, running: busy.size }),
    stop: async () => {
      isStopped = true
      for (let job = queue.next(); job; job = queue.next()) job.settle({ end: 'stopped' })
      for (const [thread, job] of busy) {
        job.settle({ end: 'stopped' })
        void end(thread)
      }
      for (const thread of idle.keys()) void end(thread)
      await Promise.all(ending)
    },
  }
}
