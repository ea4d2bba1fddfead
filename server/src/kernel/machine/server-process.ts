/** One server as its supervisor sees it: a worker of `node:cluster`, which lends it the port. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import type { FromServer, Ready, ToServer } from './messages.ts'

export interface ServerProcess {
  readonly slot: number
  readonly pid: number | undefined
  /** Rejects when it ends before it is ready. */
  readonly ready: Promise<Ready>
  /** With its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  isReady(): boolean
  /** Checks since its last sign of life. */
  missed: number
  tell(message: ToServer): void
  /** False, and lost, while it doesn't read what it was told before: what waits for it stays within 128 kB. */
  offer(message: ToServer): boolean
  kill(): void
}

/** Before it was ready. */
export class ServerEnded extends Error {
  /** Its exit code, or the signal that ended it. */
  readonly how: number | NodeJS.Signals
  constructor(how: number | NodeJS.Signals) {
    super(`A server was ended (${how}) before it was ready.`)
    this.name = 'ServerEnded'
    this.how = how
  }
}

/**
 * All servers accept connections from one listening socket. A socket for each (`reusePort`) would lose the connections
 * that wait in it when its server is replaced or killed (docs/decisions/0050).
 */
export const prepareServers = (program: string, notes: string): void => {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // On the command line for whoever looks for left-overs.
  cluster.setupPrimary({ exec: program, args: [notes] })
}

export const startServer = (
  slot: number,
  onMessage: (server: ServerProcess, message: FromServer) => void,
): ServerProcess => {
  const worker = cluster.fork()
  let isReady = false
  let isFull = false
  const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()
  // Nobody may be waiting for it.
  ready.catch(() => undefined)
  const ended = once(worker, 'exit').then(([code, signal]: (number | NodeJS.Signals | null)[]) => {
    isReady = false
    const how = (signal || (code ?? 0)) as number | NodeJS.Signals
    reject(new ServerEnded(how))
    return how
  })
  // A server that is gone can't be told anything; its end is noticed by `ended`.
  const ignore = (): void => undefined
  worker.on('error', ignore)
  const server: ServerProcess = {
    slot,
    pid: worker.process.pid,
    ready,
    ended,
    isReady: () => isReady,
    missed: 0,
    tell: (message) => void worker.send(message, undefined, undefined, ignore),
    offer: (message) => {
      if (isFull || !worker.isConnected()) return false
      const hasRoom = worker.send(message, undefined, undefined, () => {
        isFull = false
      })
      isFull = !hasRoom
      return true
    },
    kill: () => void worker.process.kill('SIGKILL'),
  }
  worker.on('message', (message: FromServer) => {
    server.missed = 0
    if (message.type === 'ready') {
      isReady = true
      resolve(message.ready)
    } else onMessage(server, message)
  })
  return server
}
