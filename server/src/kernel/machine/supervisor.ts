/** Keeps the servers of one machine running: starts, restarts, replaces and stops them. See README.md. */
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Secrets } from '../config/secrets.ts'
import type { Log } from '../log.ts'
import { findFreePort } from './free-port.ts'
import { type Folders, noteServer } from './left-overs.ts'
import { beatMs, type Ready } from './messages.ts'
import { prepareServers, type ServerProcess, startServer } from './server-process.ts'
import { createSwitchboard } from './switchboard.ts'

interface Options {
  /** The path of what each server runs. */
  program: string
  count: number
  port: number
  host: string
  folders: Folders
  secrets: Secrets
  /** The first server loads its code while the database starts. */
  databaseUrl: Promise<string>
  log: Log
  /** A server that gives no sign of life for as long is killed. */
  patienceMs?: number | undefined
  /** Before a server that ended is started anew; longer each time. */
  firstPauseMs?: number | undefined
}

export interface Supervisor {
  /** Starts one, and the others once it is ready. Rejects when it ends before. */
  start(): Promise<Ready>
  /** Replaces each server by a new one, in turn. While that goes on, or the start does, it is done once more afterwards. */
  roll(): Promise<void>
  /** Rejects when a server did not stop cleanly. */
  stop(): Promise<void>
}

/** Where one of the servers runs, whichever it is at the time. */
interface Place {
  server: ServerProcess
  startedAtMs: number
  pauseMs: number
}

const usualFirstPauseMs = 100
const longestPauseMs = 10_000
/** Loading the code keeps a server from anything else, for as long as it takes on a busy machine. */
const startPatienceMs = 120_000
/** A server that ran this long counts as healthy, so its next end is followed by the shortest pause again. */
const healthyMs = 60_000

const sayAfterMs = 60_000

/** It may take hours: a migration of a large table. Whoever waits for it reads why. */
const sayWhileStarting = ({ pid, ready, ended }: ServerProcess, log: Log): void => {
  const timer = setInterval(() => log.warn({ server: pid }, 'A server is still starting'), sayAfterMs)
  void Promise.race([ready, ended])
    .catch(() => undefined)
    .finally(() => clearInterval(timer))
}

export const createSupervisor = (options: Options): Supervisor => {
  const { count, folders, secrets, databaseUrl, log, patienceMs = 10_000, firstPauseMs = usualFirstPauseMs } = options
  const running = new Set<ServerProcess>()
  const places: Place[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const started = Promise.withResolvers<void>()
  let rolling: Promise<void> | undefined
  let isRollWanted = false
  // Chosen once, so that servers have the same even when none of those before them is left.
  const port = options.port === 0 ? findFreePort(options.host) : options.port
  const switchboard = createSwitchboard({ others: (server) => [...running].filter((other) => other !== server) })
  prepareServers(options.program, folders.notes)

  const freeSlot = (): number => {
    const used = new Set([...running].map(({ slot }) => slot))
    let slot = 0
    while (used.has(slot)) slot += 1
    return slot
  }
  const launch = (): ServerProcess => {
    const server = startServer(freeSlot(), switchboard.receive)
    running.add(server)
    sayWhileStarting(server, log)
    const forget = noteServer(folders.notes, server.pid ?? 0)
    void server.ended.then(() => {
      running.delete(server)
      switchboard.remove(server)
      forget()
    })
    const orders = { count, slot: server.slot, folder: folders.sockets, secrets }
    Promise.all([port, databaseUrl]).then(
      ([chosen, url]) => server.tell({ type: 'start', orders: { ...orders, port: chosen, databaseUrl: url } }),
      () => undefined,
    )
    return server
  }
  const settle = (place: Place, server: ServerProcess): void => {
    Object.assign(place, { server, startedAtMs: performance.now() })
    void watch(place, server)
  }
  const watch = async (place: Place, server: ServerProcess): Promise<void> => {
    const how = await server.ended
    if (signal.aborted || place.server !== server) return
    if (performance.now() - place.startedAtMs > healthyMs) place.pauseMs = firstPauseMs
    log.error({ how, server: server.pid, pauseMs: place.pauseMs }, 'A server ended unexpectedly; starting another')
    await delay(place.pauseMs, undefined, { signal }).catch(() => undefined)
    place.pauseMs = Math.min(place.pauseMs * 2, longestPauseMs)
    // Meanwhile a roll may have given the place a successor.
    if (!signal.aborted && place.server === server) settle(place, launch())
  }
  const checkBeats = (): void => {
    for (const server of running) {
      server.missed += 1
      const isStarting = !server.isReady() && !signal.aborted
      if (server.missed * beatMs <= (isStarting ? startPatienceMs : patienceMs)) continue
      log.error({ server: server.pid }, 'A server gives no sign of life and is killed')
      server.kill()
    }
  }
  const beats = setInterval(checkBeats, beatMs)

  const replace = async (place: Place): Promise<void> => {
    const successor = launch()
    await successor.ready
    const { server } = place
    settle(place, successor)
    server.tell({ type: 'stop', isReplaced: true })
    await server.ended
  }
  const replaceAll = async (): Promise<void> => {
    log.info('replacing the servers')
    for (const place of places) {
      if (signal.aborted) return
      await replace(place)
    }
    log.info('all servers are replaced')
  }
  const rollWhileWanted = async (): Promise<void> => {
    await started.promise
    while (isRollWanted && !signal.aborted) {
      isRollWanted = false
      await replaceAll().catch((problem) =>
        log.error({ err: problem }, 'The servers could not be replaced; those that run go on'),
      )
    }
  }

  return {
    start: async () => {
      const first = launch()
      const [ready] = await Promise.all([first.ready, port])
      for (let index = 0; index < count && !signal.aborted; index += 1) {
        const place = { server: first, startedAtMs: 0, pauseMs: firstPauseMs }
        places.push(place)
        settle(place, index === 0 ? first : launch())
      }
      started.resolve()
      return ready
    },
    roll: async () => {
      isRollWanted = true
      rolling ??= rollWhileWanted().finally(() => {
        rolling = undefined
      })
      await rolling
    },
    stop: async () => {
      stopping.abort()
      const all = [...running]
      for (const server of all) server.tell({ type: 'stop', isReplaced: false })
      const ends = await Promise.all(all.map(async ({ pid, ended }) => ({ pid, how: await ended })))
      clearInterval(beats)
      rmSync(folders.sockets, { recursive: true, force: true })
      const unclean = ends.filter(({ how }) => how !== 0).map(({ pid, how }) => `${pid} (${how})`)
      if (unclean.length > 0) throw new Error(`servers did not stop cleanly: ${unclean.join(', ')}`)
    },
  }
}
