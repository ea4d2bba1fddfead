/**
 * The processes of one worker: started for tasks whose turn it is, reused while they are warm, ended when idle or worn. Whose
 * turn it is, the places decide: those of the machine, where several servers share it.
 */
import { Readable } from 'node:stream'
import type { Log } from '#kernel/log.ts'
import { createKeyCounts } from '../turns/key-counts.ts'
import type { Places } from '../turns/places.ts'
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
  givesWay: boolean
  confinement(): Promise<Confinement>
  /** A number that no other running child has. */
  takeSlot(): { slot: number; release(): void }
  /** For its tasks at work. */
  places: Places
  /** So many processes stay when they have nothing to do. */
  kept: number
}

interface Member {
  child: Child
  isBusy: boolean
  idleTimer?: NodeJS.Timeout
}

interface Waiting {
  job: Job
  tenant: string
  /** Gives its place back, or its position in the line. */
  leave(): void
  giveUp(): void
}

/** A process beyond the server's part of the machine's stays for the next task, should that come right away. */
const idleMsBeyond = 1_000

const stopped = () => new ChildFailure('child_stopped', 'The server is stopping.')

export const createPool = (settings: WorkerSettings, deps: Deps): Pool => {
  const waiting = new Set<Waiting>()
  const waitingOf = createKeyCounts()
  /** Of those that wait: it is their turn, and they get the next process. */
  const begun: Waiting[] = []
  const mostProcesses = settings.processes + settings.spareProcesses
  const members = new Set<Member>()
  /** Processes, also those that are about to be started. */
  let live = 0
  let starting = 0
  let isStopped = false

  const start = async (): Promise<void> => {
    const [confinement, program] = await Promise.all([deps.confinement(), preparedProgram(entry, settings.script)])
    const { slot, release } = deps.takeSlot()
    const child = startChild({ settings, confinement, slot, program, givesWay: deps.givesWay })
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
    const idleMs = live > deps.kept ? Math.min(idleMsBeyond, settings.idleMs) : settings.idleMs
    member.idleTimer = setTimeout(end, idleMs).unref()
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
      const [next] = begun
      if (next) abandon(next, code === 'child_stopped' ? problem : new ChildFailure('child_start_failed', message))
    } finally {
      starting -= 1
    }
    serve()
  }

  const stopWaiting = (one: Waiting): void => {
    waiting.delete(one)
    waitingOf.add(one.tenant, -1)
    one.job.options.signal?.removeEventListener('abort', one.giveUp)
  }
  const abandon = (one: Waiting, problem: unknown): void => {
    stopWaiting(one)
    const at = begun.indexOf(one)
    if (at >= 0) begun.splice(at, 1)
    one.leave()
    one.job.reject(problem)
  }

  const work = async (member: Member, next: Waiting): Promise<void> => {
    member.isBusy = true
    clearTimeout(member.idleTimer)
    stopWaiting(next)
    await member.child.run(next.job)
    const isWorn = member.child.isWorn()
    // Before the place is given back, so that the next task finds this process.
    if (!isWorn) becomeIdle(member)
    next.leave()
    if (isWorn) {
      member.child.kill(stopped())
      await member.child.ended
    }
    serve()
  }

  const serve = (): void => {
    for (const member of members) {
      if (member.isBusy) continue
      const next = begun.shift()
      if (!next) return
      void work(member, next)
    }
    const toStart = Math.min(begun.length - starting, mostProcesses - live)
    for (let n = 0; n < toStart; n += 1) void grow()
  }

  return {
    add: (given) => {
      const job = { ...given, reject: closingBody(given) }
      const { signal } = job.options
      const { tenant } = job.options
      if (isStopped) return job.reject(stopped())
      if (signal?.aborted) return job.reject(signal.reason)
      if (waiting.size >= settings.maxQueued || waitingOf.of(tenant) >= settings.maxQueuedPerTenant)
        return job.reject(new ChildFailure('child_queue_full', `Too many tasks wait for ${settings.name}.`))
      const one: Waiting = { job, tenant, leave: () => undefined, giveUp: () => abandon(one, signal?.reason) }
      waiting.add(one)
      waitingOf.add(tenant, 1)
      signal?.addEventListener('abort', one.giveUp, { once: true })
      one.leave = deps.places.take(tenant, () => {
        begun.push(one)
        serve()
      })
    },
    stop: async () => {
      isStopped = true
      for (const one of waiting) abandon(one, stopped())
      for (const { child } of members) child.kill(stopped())
      await Promise.all([...members].map(({ child }) => child.ended))
    },
    waiting: () => waiting.size,
    pids: () => [...members].flatMap(({ child }) => child.pid ?? []),
  }
}

/** The file of a task that fails before it has started is read by nobody, and would stay open until it is collected. */
const closingBody =
  ({ options: { body }, reject }: Job) =>
  (problem: unknown): void => {
    if (body instanceof Readable) body.destroy()
    reject(problem)
  }
