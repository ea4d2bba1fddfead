/** Keeps a server running: one that dies unexpectedly is started again, with growing pauses, until it is stopped. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#kernel/log.ts'
import type { Server } from './server.ts'

interface Supervised {
  start(signal: AbortSignal): Promise<Server>
  log: Log
}

const firstPauseMs = 100
const longestPauseMs = 10_000
/** A server that ran this long counts as healthy, so its next death starts with the shortest pause again. */
const healthyMs = 60_000

/** Rejects when the first start fails: that is for the operator. Later failures are logged and tried again. */
export const supervise = async ({ start, log }: Supervised): Promise<{ stop(): Promise<void> }> => {
  const stopping = new AbortController()
  const { signal } = stopping
  let server = await start(signal)
  let pauseMs = firstPauseMs

  const restart = async (): Promise<Server | undefined> => {
    while (!signal.aborted) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      if (signal.aborted) return undefined
      try {
        return await start(signal)
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, 'PostgreSQL could not be restarted; trying again')
      }
    }
    return undefined
  }

  const watch = async (): Promise<void> => {
    for (;;) {
      const startedAtMs = performance.now()
      const how = await server.exited
      if (signal.aborted) return
      if (performance.now() - startedAtMs > healthyMs) pauseMs = firstPauseMs
      log.error({ how }, 'PostgreSQL ended unexpectedly; restarting it')
      const next = await restart()
      if (!next) return
      server = next
      log.info({ pid: server.pid }, 'PostgreSQL is back')
      if (signal.aborted) return server.stop()
    }
  }
  const watching = watch()

  return {
    stop: async () => {
      stopping.abort()
      await server.stop()
      await watching
    },
  }
}
