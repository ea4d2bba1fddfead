/**
 * A web site that tests control: plain HTTP on a loopback address, with every connection and request counted.
 * Linux answers on all of 127.0.0.0/8, so one address can play the internet and another the private network.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

export interface Site {
  port: number
  /** `http://<address>:<port>` */
  origin: string
  connections(): number
  close(): Promise<void>
}

export interface WebSite extends Site {
  requests: SeenRequest[]
}

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void

export const startSite = async (answer: Answer, address = '127.0.0.1'): Promise<WebSite> => {
  const requests: SeenRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body: '' }
    for await (const chunk of incoming) request.body += String(chunk)
    requests.push(request)
    answer(request, response)
  })
  return { ...(await listen(server, address)), requests }
}

/** For replies that no HTTP server would send: `talk` writes bytes itself. */
export const startRawSite = (talk: (socket: Socket) => void, address = '127.0.0.1'): Promise<Site> =>
  listen(createTcpServer(talk), address)

const listen = async (server: Server, address: string): Promise<Site> => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://${address}:${port}`,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
