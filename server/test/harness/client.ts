/** A person (or nobody) talking HTTP to the app under test. */
import { Agent, type Dispatcher, request } from 'undici'

// biome-ignore lint/suspicious/noExplicitAny: a reply's body is whatever the server sent; assertions give it its shape
type Body = any

export interface Reply {
  status: number
  body: Body
  headers: Headers
  text: string
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  delete(path: string, headers?: Record<string, string>): Promise<Reply>
  /** Anything else: raw bodies, odd methods. */
  send(
    method: string,
    path: string,
    init?: { body?: string | Uint8Array; headers?: Record<string, string> },
  ): Promise<Reply>
}

const parse = (text: string): Body => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Not `fetch`: half of the time of a small request would be spent in its streams and checks. */
const agent = new Agent()

/** The content type of a text: `fetch` states another, and the server tells it from JSON. */
const typeOf = (body: string | Uint8Array | undefined): Record<string, string> =>
  typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {}

const headersOf = (received: Record<string, string | string[] | undefined>): Headers => {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(received))
    for (const value of [values].flat()) headers.append(name, value)
  return headers
}

/** Most tests look at the status, and few at the headers: what takes long to read is read on demand. */
const replyOf = (received: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>, text: string): Reply => {
  let [headers, body]: [Headers?, { parsed: Body }?] = []
  return {
    status: received.statusCode,
    text,
    get headers() {
      headers ??= headersOf(received.headers)
      return headers
    },
    get body() {
      body ??= { parsed: parse(text) }
      return body.parsed
    },
  }
}

export const createClient = (url: string, always: Record<string, string> = {}): Client => {
  const send: Client['send'] = async (method, path, { body, headers = {} } = {}) => {
    const reply = await request(url + path, {
      method: method as 'GET',
      headers: { accept: '*/*', 'user-agent': 'node', ...typeOf(body), ...always, ...headers },
      dispatcher: agent,
      body: body ?? null,
    })
    return replyOf(reply, await reply.body.text())
  }
  return clientOf(send)
}

/** All ways to send something, by the one that sends anything. */
export const clientOf = (send: Client['send']): Client => {
  const sendJson =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(method, path, {
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
  return {
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    delete: (path, headers = {}) => send('DELETE', path, { headers }),
    post: sendJson('POST'),
    put: sendJson('PUT'),
    patch: sendJson('PATCH'),
  }
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
