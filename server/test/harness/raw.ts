/** Requests that fetch would tidy up before sending: dots and escapes in paths, odd methods, bytes that are no HTTP. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'

interface RawRequest {
  path: string
  method?: string
  headers?: Record<string, string | string[]>
  body?: string
}

export interface RawReply {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
}

/** A connection for each request would take as long as the request. */
const agent = new Agent({ keepAlive: true })
/**
 * A request that says something about the connection, or has a body that may never come, gets a connection of its own.
 */
const needsOwn = /^(connection|content-length|expect|transfer-encoding|upgrade)$/i

/** Sends the path exactly as given. */
export const rawRequest = async (url: string, { path, method = 'GET', headers = {}, body }: RawRequest) => {
  const { hostname, port } = new URL(url)
  const sent = request({
    hostname,
    port,
    path,
    method,
    headers,
    agent: Object.keys(headers).some((name) => needsOwn.test(name)) ? false : agent,
  })
  sent.end(body)
  const [reply] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number } & RawReply]
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  return { status: reply.statusCode, headers: reply.headers, text: Buffer.concat(chunks).toString() } as RawReply
}

/** Writes bytes to a socket and reads until the server hangs up. */
export const rawBytes = async (url: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}
