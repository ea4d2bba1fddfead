/** What calls are made of, and those whose body or reply is no JSON. They throw an ApiError. */
import type { Method } from '@chancery/contract/endpoint.ts'
import { errorOf, unexpectedReply, unreachable } from '#lib/problems/api-error.ts'
import { parseJson } from './exact-json.ts'
import { askForProof } from './fresh-proof.ts'
import { type Shape, schemaOf } from './shape.ts'

const wantsJson = { accept: 'application/json' }

interface Sent {
  body?: unknown
  headers?: Record<string, string>
  /** Also sent while the page unloads, when its undo time is cut short. */
  keepalive?: boolean | undefined
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
  if (reply.ok) return reply
  const error = await errorOf(reply)
  if (error.code === 'fresh_proof_required' && (await askForProof())) return request(path, init)
  throw error
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
}
