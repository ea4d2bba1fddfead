/**
 * The HTTP client: `api.get(path, Schema)` returns what the schema describes or throws an ApiError. The credential is a
 * cookie that this code can't read, so there is nothing to steal here.
 */
import { errorOf, unexpectedReply, unreachable } from '#lib/problems/api-error.ts'
import { parseJson } from './exact-json.ts'
import { type Shape, schemaOf } from './shape.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const wantsJson = { accept: 'application/json' }

interface Sent {
  body?: unknown
  headers?: Record<string, string>
  /** Also sent while the page unloads, when its undo time is cut short. */
  keepalive?: boolean
}

export async function send(method: Method, path: string, { body, headers, keepalive }: Sent = {}): Promise<Response> {
  const init: RequestInit = {
    method,
    headers: { ...wantsJson, ...headers },
    keepalive: keepalive ?? method === 'DELETE',
  }
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { ...init.headers, 'content-type': 'application/json' }
  }
  return request(path, init)
}

async function request(path: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(path, { credentials: 'same-origin', ...init }).catch(() => {
    throw unreachable()
  })
  if (!reply.ok) throw await errorOf(reply)
  return reply
}

export async function read<T>(reply: Response, shape: Shape<T>): Promise<T> {
  const body = await reply
    .text()
    .then(parseJson)
    .catch(() => undefined)
  const parsed = (await schemaOf(shape)).safeParse(body)
  if (!parsed.success) throw unexpectedReply(reply.status, reply.headers.get('x-request-id') ?? undefined)
  return parsed.data
}

export interface UploadOptions {
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** With XMLHttpRequest: fetch does not report the progress of an upload. */
const uploadFile = (path: string, file: Blob | FormData, { onProgress, signal }: UploadOptions): Promise<Response> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('accept', wantsJson.accept)
    // The browser writes a form's own header, with the boundary of its parts.
    if (file instanceof Blob) request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onerror = () => reject(unreachable())
    request.onabort = () => reject(signal.reason)
    request.onload = () => {
      const requestId = request.getResponseHeader('x-request-id')
      const headers = { 'content-type': 'application/json', ...(requestId ? { 'x-request-id': requestId } : {}) }
      const reply = new Response(request.responseText, { status: request.status, headers })
      if (reply.ok) resolve(reply)
      else errorOf(reply).then(reject, reject)
    }
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })

export const api = {
  get: async <T>(path: string, shape: Shape<T>): Promise<T> => read(await send('GET', path), shape),
  post: async <T>(path: string, body: unknown, shape: Shape<T>): Promise<T> =>
    read(await send('POST', path, { body }), shape),
  /** Also sent while the page unloads. For small bodies: browsers allow 64 kB for all such requests together. */
  postLast: async <T>(path: string, body: unknown, shape: Shape<T>): Promise<T> =>
    read(await send('POST', path, { body, keepalive: true }), shape),
  put: async <T>(path: string, body: unknown, shape: Shape<T>): Promise<T> =>
    read(await send('PUT', path, { body }), shape),
  /** Refused when what it replaces is no longer the version that was read. */
  replace: async <T>(path: string, { body, version }: { body: unknown; version: string }, shape: Shape<T>) => {
    const headers = { ...wantsJson, 'content-type': 'application/json', 'if-match': `"${version}"` }
    return read(await request(path, { method: 'PUT', headers, body: JSON.stringify(body) }), shape)
  },
  patch: async <T>(path: string, body: unknown, shape: Shape<T>): Promise<T> =>
    read(await send('PATCH', path, { body }), shape),
  /** For work that the call only starts: the reply confirms that, and the result comes another way. */
  begin: async <T>(path: string, body: unknown, shape: Shape<T>): Promise<T> => {
    const headers = { ...wantsJson, 'content-type': 'application/json', prefer: 'respond-async' }
    return read(await request(path, { method: 'POST', headers, body: JSON.stringify(body) }), shape)
  },
  /** For calls that must not run twice: the server runs a call once per key, however often it is sent. */
  once: async <T>(path: string, body: unknown, key: string, shape: Shape<T>): Promise<T> => {
    const headers = { ...wantsJson, 'content-type': 'application/json', 'idempotency-key': key }
    return read(await request(path, { method: 'POST', headers, body: JSON.stringify(body) }), shape)
  },
  /** Server-sent events as they arrive. The signal aborts the call. */
  open: async (path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
    const { body } = await request(path, { headers: { accept: 'text/event-stream' }, signal })
    return body ?? new ReadableStream({ start: (stream) => stream.close() })
  },
  /** For a reply that is no JSON, such as audio. The signal aborts the call. */
  bytes: async (path: string, body: unknown, signal: AbortSignal): Promise<ArrayBuffer> => {
    const headers = { 'content-type': 'application/json' }
    return (await request(path, { method: 'POST', headers, body: JSON.stringify(body), signal })).arrayBuffer()
  },
  /** Server-sent events of a call with a body. */
  stream: async (
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> => {
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
    return (await request(path, { method: 'POST', headers, body: JSON.stringify(body), signal })).body
  },
  /** Sends a file as it is, or a form with files, and reports the part that was sent, from 0 to 1. The signal aborts the call. */
  upload: async <T>(path: string, file: Blob | FormData, shape: Shape<T>, options: UploadOptions): Promise<T> =>
    read(await uploadFile(path, file, options), shape),
  /** For calls that return 204. */
  tell: async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> => {
    await send(method, path, { body })
  },
}
