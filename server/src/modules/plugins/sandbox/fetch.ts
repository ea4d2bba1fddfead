/** `fetch` through the server's guarded client: only public addresses, with limits on time and size. */
import { AbortProblem, type Signal } from './abort.ts'
import { ask } from './asks.ts'
import { Decoder, fromBase64, toBase64, toUtf8 } from './bytes.ts'
import { parse } from './host.ts'
import { Params } from './url.ts'

type HeadersInit = HeaderList | Record<string, string> | Iterable<readonly [string, string]> | undefined

export class HeaderList {
  readonly #values = new Map<string, string>()

  constructor(init?: HeadersInit) {
    const pairs = init === undefined ? [] : Symbol.iterator in init ? init : Object.entries(init)
    for (const [name, value] of pairs) this.append(name, value)
  }
  append(name: string, value: string): void {
    const known = this.get(name)
    this.set(name, known === null ? value : `${known}, ${value}`)
  }
  set(name: string, value: string): void {
    this.#values.set(String(name).toLowerCase(), String(value))
  }
  get(name: string): string | null {
    return this.#values.get(String(name).toLowerCase()) ?? null
  }
  has(name: string): boolean {
    return this.get(name) !== null
  }
  delete(name: string): void {
    this.#values.delete(String(name).toLowerCase())
  }
  forEach(work: (value: string, name: string) => void): void {
    for (const [name, value] of this.#values) work(value, name)
  }
  entries(): IterableIterator<[string, string]> {
    return this.#values.entries()
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}

type Pull = () => Promise<Uint8Array | undefined>

/** A readable stream as far as replies need one. */
class Body {
  readonly #pull: Pull
  locked = false

  constructor(pull: Pull) {
    this.#pull = pull
  }
  getReader() {
    this.locked = true
    return {
      read: async () => {
        const value = await this.#pull()
        return value ? { done: false, value } : { done: true, value: undefined }
      },
      releaseLock: () => {
        this.locked = false
      },
      cancel: async () => undefined,
    }
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let piece = await this.#pull(); piece; piece = await this.#pull()) yield piece
  }
}

interface ResponseInit {
  status?: number
  statusText?: string
  headers?: HeadersInit
  url?: string
}

export class Reply {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
  readonly url: string
  readonly body: Body
  bodyUsed = false

  constructor(content?: string | Uint8Array | Pull | null, init: ResponseInit = {}) {
    this.status = init.status ?? 200
    this.statusText = init.statusText ?? ''
    this.headers = new HeaderList(init.headers)
    this.url = init.url ?? ''
    this.body = new Body(typeof content === 'function' ? content : once(content))
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
  async text(): Promise<string> {
    if (this.bodyUsed) throw new TypeError('The body has been read already.')
    this.bodyUsed = true
    const decoder = new Decoder()
    let text = ''
    for await (const piece of this.body) text += decoder.decode(piece, { stream: true })
    return text + decoder.decode()
  }
  async json(): Promise<unknown> {
    return parse(await this.text())
  }
  async bytes(): Promise<Uint8Array> {
    if (this.bodyUsed) throw new TypeError('The body has been read already.')
    this.bodyUsed = true
    const pieces: number[] = []
    for await (const piece of this.body) for (const byte of piece) pieces.push(byte)
    return new Uint8Array(pieces)
  }
  async arrayBuffer(): Promise<ArrayBufferLike> {
    return (await this.bytes()).buffer
  }
}

const once = (content: string | Uint8Array | null | undefined): Pull => {
  let rest = typeof content === 'string' ? toUtf8(content) : (content ?? undefined)
  return async () => {
    const piece = rest
    rest = undefined
    return piece
  }
}

interface FetchInit {
  method?: string
  headers?: HeadersInit
  body?: string | Uint8Array | ArrayBuffer | Params | null
  signal?: Signal | null
}

interface Head {
  id: number
  status: number
  headers: [string, string][]
  url: string
}

export const fetch = async (address: unknown, init: FetchInit = {}): Promise<Reply> => {
  const { signal } = init
  signal?.throwIfAborted()
  const headers = new HeaderList(init.headers)
  if (init.body instanceof Params && !headers.has('content-type'))
    headers.set('content-type', 'application/x-www-form-urlencoded')
  const request = {
    url: String(address),
    method: init.method?.toUpperCase() ?? 'GET',
    headers: [...headers],
    body: bodyOf(init.body),
  }
  const head = (await orAborted(ask('fetch', request), signal)) as Head
  return new Reply(
    async () => {
      const piece = (await orAborted(ask('fetch:read', { id: head.id }), signal)) as string | null
      return piece === null ? undefined : fromBase64(piece)
    },
    { status: head.status, headers: head.headers, url: head.url },
  )
}

const bodyOf = (body: FetchInit['body']): string | null => {
  if (body === undefined || body === null) return null
  if (body instanceof ArrayBuffer) return toBase64(new Uint8Array(body))
  return toBase64(body instanceof Uint8Array ? body : toUtf8(String(body)))
}

const orAborted = (work: Promise<unknown>, signal: Signal | null | undefined): Promise<unknown> =>
  signal
    ? new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason ?? new AbortProblem()), { once: true })
        work.then(resolve, reject)
      })
    : work
