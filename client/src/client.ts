/**
 * Calls of the contract's endpoints from anywhere: `client.call(getRun, { params: { runId } })` returns what the endpoint
 * says, or throws an `ApiError`. Works in Node.js and in browsers.
 */
import type { Endpoint, Method, ReplyKind } from '@chancery/contract/endpoint.ts'
import { addressOf, type BodyOf, type Needed, type Place, type ReplyOf } from '@chancery/contract/reading/address.ts'
import { readEvents, type StreamEvent } from '@chancery/contract/reading/event-reader.ts'
import { parseJson, writeJson } from '@chancery/contract/reading/exact-json.ts'
import { errorOf, redirected, unexpectedReply, unreachable } from './api-error.ts'
import { type FollowOptions, followEvents } from './follow-events.ts'
import { type ItemOf, itemsOf } from './pages.ts'
import { type RetryOptions, sleep, type Wait, waitBeforeRetry } from './retry.ts'

export interface ClientOptions extends RetryOptions {
  /** Where the server is, such as `https://chancery.example.com`. */
  url: string
  /** An API key, or a session's token. Without one, a browser's cookie is sent to its own server. */
  token?: string | undefined
  /** Added to each call. */
  headers?: Record<string, string>
  /** Replaces the global one. */
  fetch?: typeof fetch
  /** Replaces the clock between two tries. */
  wait?: Wait
}

type Called = Omit<Endpoint, 'reply'> & { reply?: ReplyKind }

export type Request<E extends Called> = Place<E> & {
  /** Files and fields. A form is sent instead of a body. */
  body?: BodyOf<E> | FormData
  /** Refused when what it replaces is no longer the version that was read (`If-Match`). */
  version?: string
  /** Names a call that must not be done twice. Where the endpoint takes one, it has one in any case. */
  key?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A request of an endpoint that isn't known more closely. */
type AnyRequest = {
  body?: unknown
  version?: string
  key?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

const eventStream = 'text/event-stream'

export class Client {
  readonly origin: string
  readonly #options: ClientOptions
  readonly #wait: Wait

  constructor(options: ClientOptions) {
    this.origin = options.url.replace(/\/+$/, '')
    this.#options = options
    this.#wait = options.wait ?? sleep
  }

  async call<E extends Called>(endpoint: E, ...[request]: Needed<Request<E>>): Promise<ReplyOf<E>> {
    const reply = await this.#send(endpoint, request, 'application/json')
    if (typeof endpoint.reply !== 'object') {
      await reply.body?.cancel()
      return undefined as ReplyOf<E>
    }
    const text = await reply.text().catch((cause: unknown) => {
      throw this.#failure(cause, request)
    })
    try {
      return endpoint.reply.parse(parseJson(text)) as ReplyOf<E>
    } catch (cause) {
      throw unexpectedReply(reply, cause)
    }
  }

  /** The reply itself, for files and other bytes. Its status says success. */
  open<E extends Called>(endpoint: E, ...[request]: Needed<Request<E>>): Promise<Response> {
    return this.#send(endpoint, request, '*/*')
  }

  /** Every item of a list, page after page. */
  each<E extends Called>(endpoint: E, ...[request]: Needed<Request<E>>): AsyncGenerator<ItemOf<E>> {
    return itemsOf(endpoint, request, (asked) => this.call(endpoint, ...([asked] as Needed<Request<E>>)))
  }

  /** The events of one reply, such as a model's, until it ends. */
  async *stream<E extends Called>(endpoint: E, ...[request]: Needed<Request<E>>): AsyncGenerator<StreamEvent> {
    const body = await this.#openStream(endpoint, request)
    if (!body) return
    try {
      yield* readEvents(body)
    } catch (cause) {
      throw this.#failure(cause, request)
    }
  }

  /** A stream that goes on: opened again after it breaks, from the last event's ID, until the signal or a refusal. */
  follow<E extends Called>(
    endpoint: E,
    request: Request<E>,
    options: Pick<FollowOptions, 'isDone'> = {},
  ): AsyncGenerator<StreamEvent> {
    const { signal, headers } = request as AnyRequest
    return followEvents({
      ...options,
      wait: this.#wait,
      signal,
      open: async (lastId, ending) => {
        const from = lastId === undefined ? {} : { 'last-event-id': lastId }
        const asked = { ...request, headers: { ...headers, ...from }, signal: ending }
        return this.#openStream(endpoint, asked)
      },
    })
  }

  /** A page that answers instead of the server would be read as a stream without events. */
  async #openStream(endpoint: Called, request: AnyRequest | undefined): Promise<Response['body']> {
    const reply = await this.#send(endpoint, request, eventStream)
    if (reply.headers.get('content-type')?.startsWith(eventStream)) return reply.body
    await reply.body?.cancel().catch(() => undefined)
    throw unexpectedReply(reply)
  }

  async #send(endpoint: Called, request: AnyRequest | undefined, accept: string): Promise<Response> {
    const { signal, version } = request ?? {}
    const key = request?.key ?? (endpoint.takesKey ? crypto.randomUUID() : undefined)
    const named = { ...request, ...(key === undefined ? {} : { key }) }
    const { method } = endpoint
    const call = { method, isNamed: key !== undefined && endpoint.takesKey === true, hasVersion: version !== undefined }
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#try(endpoint, named, accept)
      } catch (error) {
        const waitMs = waitBeforeRetry(error, { call, failures, options: this.#options })
        if (waitMs === undefined) throw error
        await this.#wait(waitMs, signal)
      }
    }
  }

  async #try(endpoint: Called, request: AnyRequest, accept: string): Promise<Response> {
    const address = this.origin + addressOf(endpoint, request as Place<Called>)
    const init: RequestInit = {
      method: endpoint.method satisfies Method,
      redirect: 'manual',
      credentials: 'same-origin',
      signal: request.signal ?? null,
      ...this.#content(request, accept),
    }
    const reply = await (this.#options.fetch ?? fetch)(address, init).catch((cause: unknown) => {
      throw this.#failure(cause, request)
    })
    if (reply.ok) return reply
    const isRedirect = reply.type === 'opaqueredirect' || (reply.status >= 300 && reply.status < 400)
    throw isRedirect ? redirected(reply) : await errorOf(reply)
  }

  #content({ body, version, key, headers }: AnyRequest, accept: string): Pick<RequestInit, 'headers' | 'body'> {
    const { token } = this.#options
    const isForm = body instanceof FormData
    return {
      headers: {
        accept,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...this.#options.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : writeJson(body) }),
    }
  }

  /** An abort is the caller's own reason, not a failure of the network. */
  #failure(cause: unknown, request: AnyRequest | undefined): unknown {
    return request?.signal?.aborted ? request.signal.reason : unreachable(this.origin, cause)
  }
}
