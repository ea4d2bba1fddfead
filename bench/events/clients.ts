/**
 * Clients in a process of their own, each with one connection and one request after the other. They write bytes and look
 * at the status, no more: on a small machine whatever a client does is taken from the server. Prints what came of it.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

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
  /** What the clients themselves used of the processor. */
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
const request = (): string => `${head}${signature()}\r\n${body}`

const times: number[] = []
let isOver = false
let refused = 0

/** Whether the reply is there as a whole. Replies say how long they are. */
const isWhole = (reply: string): boolean => {
  const end = reply.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /content-length: (\d+)/i.exec(reply)?.[1]
  return length !== undefined && reply.length >= end + 4 + Number(length)
}

const client = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    let reply = ''
    let sentAt = 0
    const send = (): void => {
      reply = ''
      sentAt = performance.now()
      socket.write(request(), 'latin1')
    }
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('error', reject)
    socket.on('data', (piece) => {
      reply += piece
      if (!isWhole(reply)) return
      times.push(performance.now() - sentAt)
      if (reply[9] !== '2') refused += 1
      if (!isOver) return send()
      socket.destroy()
      resolve()
    })
    send()
  })

const sockets = await Promise.all(
  Array.from({ length: order.connections }, async () => {
    const socket = connect(Number(port), hostname)
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return socket
  }),
)
const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()]
setTimeout(() => {
  isOver = true
}, order.seconds * 1000)
await Promise.all(sockets.map(client))
const tookMs = performance.now() - startedAt
const used = process.cpuUsage(usedBefore)
times.sort((one, other) => one - other)
const result: ClientsResult = {
  ...{ answered: times.length - refused, refused, tookMs, processorMs: (used.user + used.system) / 1000 },
  ...{ p50Ms: times[Math.floor(times.length / 2)] ?? 0, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 },
}
console.log(JSON.stringify(result))
