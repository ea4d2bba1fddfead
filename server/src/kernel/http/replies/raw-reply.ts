/** Replies whose bytes the handler writes itself: event streams, files, and what another server answered. */
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export interface RawReply {
  status?: number
  headers?: Record<string, string>
  body: string | Uint8Array | Readable | WriteBody
  /** The client only watches what goes on elsewhere, and can ask again: a stopping server ends the reply at once. */
  isWatching?: boolean
}

const watching = new WeakMap<Server, Set<ServerResponse>>()

const watchUntilStop = (server: Server, raw: ServerResponse): void => {
  const open = watching.get(server) ?? new Set()
  watching.set(server, open.add(raw))
  raw.once('close', () => open.delete(raw))
}

/** For a server that stops: ends the replies of clients who only watch. */
export const endWatching = (server: Server): void => {
  for (const raw of watching.get(server) ?? [])
    if (raw.writableLength > 0) raw.destroy()
    else raw.end(() => raw.destroy())
}

/**
 * Writes a body piece by piece and resolves at its end. The head is sent before it runs, so a failure in here can only
 * cut the connection: whatever deserves a status must be thrown before the reply is returned.
 */
export type WriteBody = (outlet: Outlet) => Promise<void>

export interface Outlet {
  /** False once the client reads more slowly than we write: wait for `drained`, or drop the client at your own limit. */
  write(piece: string | Uint8Array): boolean
  /** Writes the last piece together with the end. */
  end(piece: string | Uint8Array): void
  /** Resolves when there is room again or the client is gone. A client that reads nothing for a minute is disconnected. */
  drained(): Promise<void>
  /** Bytes that wait in memory for the client. */
  readonly waiting: number
  readonly isOpen: boolean
  onClose(listener: () => void): void
}

/** For replies that are streams of server-sent events. Proxies that buffer would hold events back. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

/** A client may read nothing for this long before its connection is closed. */
const readerPatienceMs = 60_000

/** Bypasses Fastify's own sending, whose hooks these replies do not need. */
export const sendRaw = (
  reply: FastifyReply,
  { status = 200, headers = {}, body, isWatching = false }: RawReply,
  patienceMs = readerPatienceMs,
): FastifyReply => {
  if (body instanceof Readable) return reply.code(status).headers(headers).send(body)
  reply.hijack()
  const { raw } = reply
  // Fastify makes this object anew for every call.
  const all: Record<string, string | number> = Object.assign(reply.getHeaders() as Record<string, string>, headers)
  if (typeof body !== 'function') {
    if (!isBodyless(reply, status, all)) all['content-length'] = Buffer.byteLength(body)
    raw.writeHead(status, all)
    endWithin(raw, patienceMs, body)
    return reply
  }
  raw.writeHead(status, all)
  if (isWatching) watchUntilStop(reply.server.server, raw)
  const outlet = outletOf(raw, patienceMs)
  // The first event may be seconds away, and the client should get the head before it. One that is ready goes with it.
  setImmediate(() => outlet.isUntouched && raw.flushHeaders())
  body(outlet).then(
    () => endWithin(raw, patienceMs),
    // Bytes written before the failure go out first.
    () => setImmediate(() => raw.destroy()),
  )
  return reply
}

/** Such a reply tells the length of the body that it leaves out. */
const isBodyless = (reply: FastifyReply, status: number, headers: object): boolean =>
  status === 304 || (reply.request.method === 'HEAD' && 'content-length' in headers)

/** Node restarts a socket's timeout whenever the other side reads anything, however slowly, or something is written. */
const cutIfStuck = (raw: ServerResponse, patienceMs: number): void => void raw.socket?.setTimeout(patienceMs)

const endWithin = (raw: ServerResponse, patienceMs: number, rest?: string | Uint8Array): void => {
  const { socket } = raw
  raw.end(rest)
  // The usual case: the system has accepted all of it.
  if (!socket || raw.writableLength === 0) return
  cutIfStuck(raw, patienceMs)
  // Before Node's own listener, which sets the timeout of an idle connection.
  raw.prependOnceListener('finish', () => socket.setTimeout(0))
}

const outletOf = (raw: ServerResponse, patienceMs: number): Outlet & { readonly isUntouched: boolean } => {
  let gone: Promise<void> | undefined
  let isTouched = false
  // A stopping server ends the replies of clients who watch, while their writers still go on.
  const isOpen = () => !raw.destroyed && !raw.writableEnded
  return {
    get isUntouched() {
      return !isTouched && !raw.writableEnded && !raw.destroyed
    },
    write: (piece) => {
      isTouched = true
      return isOpen() && raw.write(piece)
    },
    end: (piece) => {
      isTouched = true
      if (isOpen()) raw.end(piece)
    },
    drained: async () => {
      if (raw.destroyed || !raw.writableNeedDrain) return
      gone ??= new Promise((resolve) => raw.once('close', resolve))
      cutIfStuck(raw, patienceMs)
      await Promise.race([once(raw, 'drain'), gone])
      raw.socket?.setTimeout(0)
    },
    get waiting() {
      return raw.writableLength
    },
    get isOpen() {
      return isOpen()
    },
    onClose: (listener) => void raw.once('close', listener),
  }
}

export const jsonReply = (value: unknown): RawReply => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})
