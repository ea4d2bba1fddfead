/** A reply whose body is counted while it is read, before and after decompression, and cut off at its limit. */
import { type Duplex, type Readable, Transform, type TransformCallback } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type ByteFlow, flowOf } from '../bytes/byte-flow.ts'
import { withoutMark } from '../bytes/byte-order-mark.ts'
import { collect } from '../bytes/collect.ts'
import { AppError } from '../errors.ts'
import { parseForeign } from '../json/parse-foreign.ts'
import type { ReplyBody } from './reply-body.ts'

export interface OutboundReply {
  status: number
  /** Lower-case names; a header that came several times is joined by commas. */
  headers: ReadonlyMap<string, string>
  /** The URL of the reply, after redirects. */
  url: string
  /** Decompressed bytes. Read it, or `discard` it: an unread body holds its connection. Fails with an `AppError`. */
  body: Readable
  /** The same bytes without a Node stream. */
  flow(): ByteFlow
  bytes(): Promise<Buffer>
  text(): Promise<string>
  /** Throws `outbound_failed` when the body is not JSON, `outbound_too_large` when it has too many parts. */
  json(): Promise<unknown>
  discard(): void
}

export interface RawReply {
  status: number
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
  url: string
  body: ReplyBody
  /** False for HEAD, 204 and 304, whose headers describe a body that does not come. */
  hasBody: boolean
}

interface ReplyOptions {
  maxBytes: number | undefined
  explain(problem: unknown): Error
  /** Called once, when the body has ended or was cut. */
  onClose(): void
}

/** A reply collected in memory is capped even if the caller set no cap on the stream. */
const maxCollectedBytes = 32 * 1024 * 1024

export const openReply = (raw: RawReply, { maxBytes = Infinity, explain, onClose }: ReplyOptions): OutboundReply => {
  raw.body.onClosed(onClose)
  if (raw.hasBody && Number(raw.headers['content-length']) > maxBytes) {
    raw.body.close()
    throw new AppError('outbound_too_large')
  }
  const encoding = raw.hasBody ? encodingOf(raw) : 'identity'
  if (encoding === 'identity') return new PlainReply(raw, maxBytes)
  return new DecodedReply(raw, decodedBody(raw.body, encoding, new ByteCap(maxBytes, explain)), maxBytes)
}

abstract class Reply implements OutboundReply {
  readonly status: number
  readonly url: string
  readonly #raw: RawReply
  readonly #maxBytes: number
  #headers: ReadonlyMap<string, string> | undefined

  constructor(raw: RawReply, maxBytes: number) {
    this.status = raw.status
    this.url = raw.url
    this.#raw = raw
    this.#maxBytes = Math.min(maxBytes, maxCollectedBytes)
  }

  /** Made when somebody looks at them: most only want the body. */
  get headers(): ReadonlyMap<string, string> {
    this.#headers ??= readableHeaders(this.#raw)
    return this.#headers
  }

  abstract readonly body: Readable
  abstract flow(): ByteFlow
  abstract discard(): void

  bytes(): Promise<Buffer> {
    return collect(this.flow(), this.#maxBytes)
  }

  async text(): Promise<string> {
    return textOf(await this.bytes())
  }

  async json(): Promise<unknown> {
    return readReplyJson(textOf(await this.bytes()))
  }
}

/** The usual one: the bytes are taken as they came. */
class PlainReply extends Reply {
  readonly #body: ReplyBody

  constructor(raw: RawReply, maxBytes: number) {
    super(raw, maxBytes)
    this.#body = raw.body
  }

  get body(): Readable {
    return this.#body.stream()
  }

  flow(): ByteFlow {
    return this.#body
  }

  discard(): void {
    this.#body.close()
  }
}

class DecodedReply extends Reply {
  readonly body: Readable

  constructor(raw: RawReply, body: Readable, maxBytes: number) {
    super(raw, maxBytes)
    this.body = body
  }

  flow(): ByteFlow {
    return flowOf(this.body)
  }

  discard(): void {
    this.body.destroy()
  }
}

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
} as const

const encodingOf = ({ headers }: RawReply): string =>
  String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase() || 'identity'

/** The bytes of the connection are capped already; what comes out of a decoder may be far more. */
const decodedBody = (raw: ReplyBody, encoding: string, cap: ByteCap): Readable => {
  if (isKnownEncoding(encoding)) return chain(chain(raw.stream(), decoders[encoding]()), cap)
  raw.close()
  throw new AppError('outbound_failed', { detail: 'The other server used an encoding that was not asked for.' })
}

/**
 * A failure goes on to the reader, a reader who leaves closes what is before. Node's `pipeline` does the same at a price:
 * it makes and aborts a signal for every reply. An error that nobody reads has nobody to tell, so it is ignored.
 */
const chain = <Next extends Duplex>(from: Readable, next: Next): Next => {
  from.on('error', (problem) => next.destroy(problem))
  next.on('error', ignore).once('close', () => from.destroy())
  return from.pipe(next)
}

const ignore = (): void => undefined

const isKnownEncoding = (name: string): name is keyof typeof decoders => Object.hasOwn(decoders, name)

class ByteCap extends Transform {
  #left: number
  readonly #explain: (problem: unknown) => Error

  constructor(maxBytes: number, explain: (problem: unknown) => Error) {
    super()
    this.#left = maxBytes
    this.#explain = explain
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#left -= chunk.length
    if (this.#left < 0) done(new AppError('outbound_too_large'))
    else done(null, chunk)
  }

  /** Here and not in `_destroy`, so that a reader who comes after the failure also finds it explained. */
  override destroy(problem?: Error): this {
    return super.destroy(problem && this.#explain(problem))
  }
}

const textOf = (bytes: Buffer): string => withoutMark(bytes).toString('utf8')

/** Throws `outbound_failed` for what is no JSON, `outbound_too_large` for what has too many parts. */
export const readReplyJson = (text: string): unknown => {
  try {
    return parseForeign(text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('outbound_failed', { detail: 'The other server did not answer with valid JSON.', cause })
  }
}

/** Without those that described encoded bytes: what the caller reads is decoded. */
const readableHeaders = (raw: RawReply): Map<string, string> => {
  const map = new Map<string, string>()
  for (const [name, value] of Object.entries(raw.headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value)
  if (raw.hasBody && encodingOf(raw) !== 'identity') map.delete('content-length')
  if (raw.hasBody) map.delete('content-encoding')
  return map
}
