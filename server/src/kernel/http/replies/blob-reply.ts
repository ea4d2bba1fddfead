/**
 * Answers with a stored file: whole or one range of it, as a download unless the type cannot do harm. A file is somebody
 * else's content on our own address, so the browser is told never to guess its type and never to run anything in it.
 */
import type { Readable } from 'node:stream'
import type { Blobs, ByteRange } from '../../blobs/index.ts'
import { AppError } from '../../errors.ts'
import { contentDisposition } from '../bodies/file-name.ts'
import type { HttpCall } from '../route.ts'
import { errorBody } from './error-reply.ts'
import type { Outlet, RawReply } from './raw-reply.ts'

export interface StoredFile {
  key: string
  name: string
  contentType: string
  size: number
  sha256: string
}

interface Options {
  /** Shown in the browser where the type is inert; a download everywhere else. */
  inline?: boolean
}

/** Types that a browser shows without running anything. HTML, SVG, XML and PDF can hold scripts. */
const inertTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/flac',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'text/plain',
])

const sandbox = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** For a route with `reply: 'raw'`. Access has been decided by the caller, who read the file's row. */
export const replyWithBlob = async (
  { blobs, http }: { blobs: Pick<Blobs, 'get'>; http: HttpCall },
  file: StoredFile,
  { inline = false }: Options = {},
): Promise<RawReply> => {
  const headers = headersOf(file, inline)
  if (isKnown(http.header('if-none-match'), headers.etag)) return { status: 304, headers, body: '' }
  const range = wantedRange(http, headers.etag, file.size)
  if (range === 'beyond') return rangeRefused(http, file.size)
  const { start, end = file.size - 1 } = range ?? { start: 0 }
  const whole = {
    ...headers,
    'content-length': String(end - start + 1),
    ...(range ? { 'content-range': `bytes ${start}-${end}/${file.size}` } : {}),
  }
  const status = range ? 206 : 200
  if (http.method === 'HEAD') return { status, headers: whole, body: '' }
  const blob = await blobs.get(file.key, range)
  if (!blob) throw new Error(`The blob ${file.key} is missing.`)
  return { status, headers: whole, body: (outlet) => write(blob.stream, outlet) }
}

const headersOf = ({ name, contentType, sha256 }: StoredFile, inline: boolean) => {
  const isInert = inertTypes.has(contentType)
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream'
  return {
    'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    'content-disposition': contentDisposition(inline && isInert ? 'inline' : 'attachment', name),
    'content-security-policy': sandbox,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    // Kept only by the reader's own browser, which asks us each time whether it may still show it.
    'cache-control': 'private, no-cache',
    etag: `"${sha256}"`,
  }
}

const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))

/** Undefined: the whole file. So it is for several ranges, for other units, and where the file has changed. */
const wantedRange = (http: HttpCall, etag: string, size: number): ByteRange | 'beyond' | undefined => {
  const ifRange = http.header('if-range')
  if (ifRange !== undefined && ifRange !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(http.header('range') ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start >= size ? 'beyond' : { start, end }
}

const rangeRefused = (http: HttpCall, size: number): RawReply => ({
  status: 416,
  headers: { 'content-type': 'application/json; charset=utf-8', 'content-range': `bytes */${size}` },
  body: JSON.stringify(errorBody(new AppError('range_not_satisfiable'), http.requestId)),
})

/** Leaving the loop, also by a failure, closes the blob. */
const write = async (stream: Readable, outlet: Outlet): Promise<void> => {
  for await (const piece of stream) {
    if (!outlet.isOpen) return
    if (!outlet.write(piece as Buffer)) await outlet.drained()
  }
}
