/** The processes of one worker: started when tasks come, reused while they are warm, ended when idle or worn. */
import { Readable } from 'node:stream'
import type { Log } from '#kernel/log.ts'
import { createFairQueue } from '../fair-queue.ts'
import { createKeyCounts } from '../key-counts.ts'
import { createPurses } from '../purses.ts'
import { type Child, startChild } from './child.ts'
import { type Confinement, entry } from './confinement.ts'
import { ChildFailure } from './failures.ts'
import { preparedProgram } from './prepared-code.ts'
import type { Job } from './task-exchange.ts'
import type { WorkerSettings } from './worker.ts'

export interface Pool {
  add(job: Job): void
  stop(): Promise<void>
  waiting(): number
  pids(): number[]
}

interface Deps {
  log: Log
  confinement(): Promise<Confinement>
  /** A number that no other running child has. */
  takeSlot(): { slot: number; release(): void }
}

interface Member {
  child: Child
  isBusy: boolean
  idleTimer?: NodeJS.Timeout
}

/** Of the time of processes. Ten seconds of work in a minute make nobody wait; half a minute of it, for five minutes. */
const share = { fullMs: 5_000, refillMsPerSec: 100, maxDebtMs: 30_000 }

const stopped = () => new ChildFailure('child_stopped', 'The server is stopping.')

export const createPool = (settings: WorkerSettings, deps: Deps): Pool => {
  const queue = createFairQueue<Job>(settings.maxQueued, settings.maxQueuedPerTenant)
  const running = createKeyCounts()
  const times = createPurses(share, () => performance.now())
  const mostProcesses = settings.processes + settings.spareProcesses
  const members = new Set<Member>()
  /** Processes, also those that are about to be started. */
  let live = 0
  let starting = 0
  let isStopped = false

  const start = async (): Promise<void> => {
    const [confinement, program] = await Promise.all([deps.confinement(), preparedProgram(entry, settings.script)])
    const { slot, release } = deps.takeSlot()
    const child = startChild({ settings, confinement, slot, program })
    const member: Member = { child, isBusy: true }
    members.add(member)
    void child.ended.then(() => {
      release()
      clearTimeout(member.idleTimer)
      members.delete(member)
      live -= 1
      serve()
    })
    if (isStopped) child.kill(stopped())
    await child.ready
    becomeIdle(member)
  }

  const becomeIdle = (member: Member): void => {
    member.isBusy = false
    const end = () => {
      // Busy with ending: it must not be given a task any more.
      member.isBusy = true
      member.child.kill(stopped())
    }
    member.idleTimer = setTimeout(end, settings.idleMs).unref()
  }

  /** A start that fails takes one waiting task with it, so that a broken script cannot be started for ever. */
  const grow = async (): Promise<void> => {
    live += 1
    starting += 1
    try {
      await start()
    } catch (problem) {
      const { code, message } = problem as ChildFailure
      deps.log.warn({ worker: settings.name, err: problem }, 'A child process did not start.')
      takeNext()?.reject(code === 'child_stopped' ? problem : new ChildFailure('child_start_failed', message))
    } finally {
      starting -= 1
    }
    serve()
  }

  /** However long one tenant's tasks take, another's find a process. */
  const roomOf = (tenant: string): number => settings.processesPerTenant - running.of(tenant)
  /** In the spare processes: one, for who has neither a task under way nor used much time lately. */
  const spareRoomOf = (tenant: string): number => (running.of(tenant) === 0 && times.leftMs(tenant) > 0 ? 1 : 0)
  const hasRoom = (tenant: string): boolean =>
    (running.total < settings.processes ? roomOf(tenant) : spareRoomOf(tenant)) > 0

  const takeNext = (mayRun?: typeof hasRoom): Job | undefined => {
    for (;;) {
      const job = queue.next(mayRun)
      if (!job?.options.signal?.aborted) return job
    }
  }

  const work = async (member: Member, job: Job): Promise<void> => {
    member.isBusy = true
    clearTimeout(member.idleTimer)
    const tenant = tenantOf(job)
    const startMs = performance.now()
    running.add(tenant, 1)
    await member.child.run(job)
    running.add(tenant, -1)
    times.charge(tenant, performance.now() - startMs)
    if (member.child.isWorn()) {
      member.child.kill(stopped())
      await member.child.ended
    } else becomeIdle(member)
    serve()
  }

  const serve = (): void => {
    for (const member of members) {
      if (member.isBusy) continue
      const job = takeNext(hasRoom)
      if (!job) break
      void work(member, job)
    }
    const usual = Math.min(queue.servable(roomOf), settings.processes - running.total)
    const servable = Math.max(usual, Math.min(queue.servable(spareRoomOf), mostProcesses - running.total))
    const toStart = Math.min(servable - starting, mostProcesses - live)
    for (let n = 0; n < toStart; n += 1) void grow()
  }

  return {
    add: (given) => {
      const job = { ...given, reject: closingBody(given) }
      const { signal } = job.options
      const tenant = tenantOf(job)
      if (isStopped) return job.reject(stopped())
      if (signal?.aborted) return job.reject(signal.reason)
      const settle =
        <Value>(how: (value: Value) => void) =>
        (value: Value) => {
          signal?.removeEventListener('abort', leave)
          how(value)
        }
      const queued = { ...job, resolve: settle(job.resolve), reject: settle(job.reject) }
      const leave = () => {
        queue.remove(tenant, queued)
        job.reject(signal?.reason)
      }
      if (!queue.push(tenant, queued))
        return job.reject(new ChildFailure('child_queue_full', `Too many tasks wait for ${settings.name}.`))
      signal?.addEventListener('abort', leave, { once: true })
      serve()
    },
    stop: async () => {
      isStopped = true
      for (let job = queue.next(); job; job = queue.next()) job.reject(stopped())
      for (const { child } of members) child.kill(stopped())
      await Promise.all([...members].map(({ child }) => child.ended))
    },
    waiting: () => queue.size,
    pids: () => [...members].flatMap(({ child }) => child.pid ?? []),
  }
}

const tenantOf = ({ options: { tenant } }: Job): string => tenant

/** The file of a task that fails before it has started is read by nobody, and would stay open until it is collected. */
const closingBody =
  ({ options: { body }, reject }: Job) =>
  (problem: unknown): void => {
    if (body instanceof Readable) body.destroy()
    reject(problem)
  }
