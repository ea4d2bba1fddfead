/** A reply whose body is counted while it flows, before and after decompression, and cut where its cap is. */
import { type Duplex, type Readable, Transform, type TransformCallback } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AppError } from '../errors.ts'

export interface OutboundReply {
  status: number
  /** Lower-case names; a header that came several times is joined by commas. */
  headers: ReadonlyMap<string, string>
  /** Where the reply came from, after redirects. */
  url: string
  /** Decompressed bytes. Read it, or `discard` it: an unread body holds its connection. Fails with an `AppError`. */
  body: Readable
  bytes(): Promise<Buffer>
  text(): Promise<string>
  /** Throws `outbound_failed` when the body is no JSON. */
  json(): Promise<unknown>
  discard(): void
}

export interface RawReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  url: string
  body: Readable
  /** False for HEAD, 204 and 304, whose headers describe a body that does not come. */
  hasBody: boolean
}

interface ReplyOptions {
  maxBytes: number | undefined
  explain(problem: unknown): Error
  /** Called once, when the body has ended or was cut. */
  onClose(): void
}

/** What is gathered in memory is capped even if the caller set no cap on the stream. */
const maxGatheredBytes = 32 * 1024 * 1024

export const openReply = (raw: RawReply, { maxBytes = Infinity, explain, onClose }: ReplyOptions): OutboundReply => {
  const headers = headerMap(raw.headers)
  if (raw.hasBody && Number(headers.get('content-length')) > maxBytes) {
    abandon(raw.body)
    throw new AppError('outbound_too_large')
  }
  const encoding = raw.hasBody ? takeEncoding(headers) : 'identity'
  const body = decodedBody(raw.body, encoding, () => new ByteCap(maxBytes, explain)).on('close', onClose)
  const bytes = () => gather(body, Math.min(maxBytes, maxGatheredBytes))
  const text = async () => new TextDecoder().decode(await bytes())
  return {
    status: raw.status,
    headers,
    url: raw.url,
    body,
    bytes,
    text,
    json: async () => parseJson(await text()),
    discard: () => void body.destroy(),
  }
}

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
} as const

/** Takes the headers away that described the encoded bytes; what the caller reads is decoded. */
const takeEncoding = (headers: Map<string, string>): string => {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity') headers.delete('content-length')
  headers.delete('content-encoding')
  return encoding
}

const decodedBody = (raw: Readable, encoding: string, newCap: () => ByteCap): Readable => {
  if (encoding === 'identity') return chain(raw, newCap())
  if (isKnownEncoding(encoding)) return chain(chain(chain(raw, newCap()), decoders[encoding]()), newCap())
  abandon(raw)
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

/** Closes the connection under a body that is not wanted. */
export const abandon = (body: Readable): void => void body.on('error', ignore).destroy()

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

const gather = async (body: Readable, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new AppError('outbound_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('outbound_failed', { detail: 'The other server did not answer with valid JSON.', cause })
  }
}

const headerMap = (headers: RawReply['headers']): Map<string, string> => {
  const map = new Map<string, string>()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value)
  return map
}
