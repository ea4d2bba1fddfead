/**
 * Clients in a separate process, each with one connection and one request after the other. They only write bytes and
 * check the status: on a small machine, a client's work takes processor time from the server. Prints the results.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { connect } from 'node:net'

export interface ClientsOrder {
  url: string
  connections: number
  seconds: number
  headers?: Record<string, string>
  /** Sent by POST, as JSON; without one it is a GET. */
  body?: string
  /** Signs each delivery as Standard Webhooks says, under an id of its own. */
  secret?: string
}

export interface ClientsResult {
  answered: number
  refused: number
  tookMs: number
  /** Processor time of the clients themselves. */
  processorMs: number
  p50Ms: number
  p99Ms: number
}

const order = JSON.parse(process.argv[2] ?? '{}') as ClientsOrder
const { hostname, port, pathname, host } = new URL(order.url)
const { body = '', secret } = order
const signingKey = secret === undefined ? undefined : Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

const signature = (): string => {
  if (!signingKey) return ''
  const [id, time] = [randomUUID(), Math.floor(Date.now() / 1000)]
  const signed = createHmac('sha256', signingKey).update(`${id}.${time}.${body}`).digest('base64')
  return `webhook-id: ${id}\r\nwebhook-timestamp: ${time}\r\nwebhook-signature: v1,${signed}\r\n`
}
const given = Object.entries(order.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
const start =
  order.body === undefined
    ? `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n`
    : `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
const head = start + given.join('')
const plain = `${head}\r\n${body}`
const request = (): string => (signingKey ? `${head}${signature()}\r\n${body}` : plain)

const times: number[] = []
let isOver = false
let refused = 0
const two = '2'.charCodeAt(0)

/** The end of the header's name, whose first letter may be upper or lower case. */
const lengthName = 'ength: '

/** The total length of a reply, from its content-length. The head must arrive in one chunk. */
const wholeLength = (piece: Buffer): number => {
  const [end, length] = [piece.indexOf('\r\n\r\n'), piece.indexOf(lengthName)]
  if (end < 0 || length < 0) throw new Error('a reply that does not say how long it is')
  const start = length + lengthName.length
  return end + 4 + Number.parseInt(piece.toString('latin1', start, start + 8), 10)
}

interface Client {
  opened: Promise<void>
  /** Sends requests until the time is up. */
  run(): Promise<void>
}

/** Reads into a fixed buffer: no streams, no strings, no garbage to collect. */
const createClient = (): Client => {
  let [missing, sentAt] = [0, 0]
  const done = Promise.withResolvers<void>()
  const send = (): void => {
    sentAt = performance.now()
    socket.write(request(), 'latin1')
  }
  const take = (size: number, room: Uint8Array): boolean => {
    const piece = room as Buffer
    if (missing === 0) {
      missing = wholeLength(piece)
      if (piece[9] !== two) refused += 1
    }
    missing -= size
    if (missing > 0) return true
    times.push(performance.now() - sentAt)
    if (!isOver) send()
    else {
      socket.destroy()
      done.resolve()
    }
    return true
  }
  const onread = { buffer: Buffer.alloc(16_384), callback: take }
  const socket = connect({ port: Number(port), host: hostname, noDelay: true, onread })
  socket.on('error', done.reject)
  return {
    opened: new Promise((resolve) => socket.once('connect', resolve)),
    run: () => {
      send()
      return done.promise
    },
  }
}

const clients = Array.from({ length: order.connections }, createClient)
await Promise.all(clients.map(({ opened }) => opened))
const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()]
setTimeout(() => {
  isOver = true
}, order.seconds * 1000)
await Promise.all(clients.map(({ run }) => run()))
const tookMs = performance.now() - startedAt
const used = process.cpuUsage(usedBefore)
times.sort((one, other) => one - other)
const result: ClientsResult = {
  answered: times.length - refused,
  refused,
  tookMs,
  processorMs: (used.user + used.system) / 1000,
  p50Ms: times[Math.floor(times.length / 2)] ?? 0,
  p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
}
console.log(JSON.stringify(result))
