/** Shared by both model peers: the server on loopback, what it received, and the script. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Behaviour, PeerRequest } from './model-behaviour.ts'
import { type PlainAnswer, play, send, sendFailure, sendJson, type Wire } from './model-wire.ts'

export interface ModelPeer {
  /** The url of a connection to it. */
  url: string
  port: number
  /** Everything received, the newest last. */
  requests: PeerRequest[]
  /** Of these, what was asked of a model: what `script` answers. */
  calls(): PeerRequest[]
  /** Resolves with the n-th call of a model (from 1), at once where it is there already. */
  call(n: number): Promise<PeerRequest>
  /** One behaviour for each of the next calls of a model, in order. Afterwards the usual one again. */
  script(...behaviours: Scripted[]): void
  /** The usual behaviour from now on. Without it the peer repeats what the user said. */
  usually(behaviour: Scripted): void
  /** The same for the list of models. */
  listsModels(behaviour: Behaviour): void
  /** Cuts whatever is open. A new peer may be started on the same port afterwards. */
  close(): Promise<void>
}

export type Scripted = Behaviour | ((request: PeerRequest) => Behaviour)

export interface ModelPeerOptions {
  models?: readonly string[]
  /** Asked for as bearer token where given. */
  key?: string
  port?: number
  /** Which calls take from the script; the others get the usual behaviour. All calls, unless given. */
  scriptsFor?: (request: PeerRequest) => boolean
}

export interface Site {
  /** Undefined where the path is not a call of a model. */
  wireOf(request: PeerRequest, behaviour: Behaviour): Wire | undefined
  isModelList(request: PeerRequest): boolean
  /** Everything that no script touches. */
  answer(request: PeerRequest): PlainAnswer
}

export const startModelPeer = async (
  site: Site,
  { key, port = 0, scriptsFor }: ModelPeerOptions,
): Promise<ModelPeer> => {
  const requests: PeerRequest[] = []
  const calls = createCalls()
  const script = createScript(scriptsFor)
  let listing: Behaviour = {}

  const server = createServer(async (incoming, response) => {
    const request = await read(incoming, response)
    requests.push(request)
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`)
      return sendJson(response, 401, {
        error: { message: 'Incorrect API key provided.', type: 'invalid_request_error' },
      })
    if (site.wireOf(request, {}) !== undefined) {
      calls.add(request)
      const behaviour = script.next(request)
      return play(response, behaviour, site.wireOf(request, behaviour) as Wire)
    }
    const behaviour = site.isModelList(request) ? listing : {}
    if (behaviour.hangs) return
    await behaviour.gate?.pass()
    if (behaviour.fail) return sendFailure(response, behaviour.fail)
    if (behaviour.bytes !== undefined) return void response.end(behaviour.bytes)
    send(response, site.answer(request))
  })
  const listening = await listen(server, port)
  return {
    ...listening,
    requests,
    calls: calls.all,
    call: calls.nth,
    script: script.add,
    usually: script.usually,
    listsModels(behaviour) {
      listing = behaviour
    },
  }
}

const createCalls = () => {
  const calls: PeerRequest[] = []
  const waiting = new Map<number, (request: PeerRequest) => void>()
  return {
    add(request: PeerRequest): void {
      calls.push(request)
      waiting.get(calls.length)?.(request)
    },
    all: () => [...calls],
    nth: (n: number): Promise<PeerRequest> => {
      const there = calls[n - 1]
      return there ? Promise.resolve(there) : new Promise((resolve) => waiting.set(n, resolve))
    },
  }
}

const createScript = (isFor: (request: PeerRequest) => boolean = () => true) => {
  const queue: Scripted[] = []
  let usual: Scripted = {}
  return {
    add: (...behaviours: Scripted[]): void => void queue.push(...behaviours),
    usually(behaviour: Scripted): void {
      usual = behaviour
    },
    next(request: PeerRequest): Behaviour {
      const scripted = (isFor(request) ? queue.shift() : undefined) ?? usual
      const behaviour = typeof scripted === 'function' ? scripted(request) : scripted
      if (!behaviour.refusesStreamOptions || request.body?.stream_options === undefined) return behaviour
      if (scripted !== usual) queue.unshift(scripted)
      return { fail: { status: 400, body: refusedStreamOptions } }
    },
  }
}

const refusedStreamOptions = {
  error: {
    message: 'Unrecognized request argument supplied: stream_options',
    type: 'invalid_request_error',
    param: 'stream_options',
    code: null,
  },
}

const listen = async (server: Server, port: number): Promise<Pick<ModelPeer, 'url' | 'port' | 'close'>> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const read = async (incoming: IncomingMessage, response: ServerResponse): Promise<PeerRequest> => {
  const ended = new Promise<boolean>((resolve) => response.once('close', () => resolve(response.writableFinished)))
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: parsed(bytes),
    bytes,
    ended,
  }
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
