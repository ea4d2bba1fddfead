/** A speech engine of any kind: records every request whole and answers what the test scripts. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface EngineCall {
  path: string
  headers: IncomingMessage['headers']
  bytes: Buffer
  /** Parsed from a multipart body. */
  form(): Promise<FormData>
}

interface EngineAnswer {
  /** It never answers. */
  isSilent?: boolean
  status?: number
  type?: string
  body: string | Buffer
}

const recorder = () => {
  const calls: EngineCall[] = []
  let answers: EngineAnswer[] = [{ body: '' }]
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const bytes = Buffer.concat(pieces)
    const { headers, url: path = '' } = request
    const form = () => new Response(bytes, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
    calls.push({ path, headers, bytes, form })
    const [answer = { body: '' }] = answers.length > 1 ? answers.splice(0, 1) : answers
    if (answer.isSilent) return
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json' }).end(answer.body)
  }
  return {
    calls,
    handle: (request: IncomingMessage, response: ServerResponse) => void handle(request, response),
    /** One after the other; the last one stays. */
    script: (...next: EngineAnswer[]): void => {
      answers = next
    },
    lastCall: (): EngineCall => {
      const call = calls.at(-1)
      if (!call) throw new Error('the engine was not called')
      return call
    },
  }
}

/** With a key and a certificate it speaks TLS. */
export const startSpeechEngine = async (tls?: { key: string; cert: string }) => {
  const { handle, ...peer } = recorder()
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { ...peer, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}` }
}
