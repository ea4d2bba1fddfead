/**
 * Reads `multipart/form-data` (RFC 7578) part by part while it arrives. The caller pulls, so a slow disk slows the sender
 * down and nothing is gathered here beyond one chunk. Strict where readers could disagree: text before the first
 * boundary, doubled headers and encoded parts are refused. The usual packages push parts as streams, which makes an
 * early refusal and its clean-up the hard case; here a refusal is an exception.
 */
import { isUtf8 } from 'node:buffer'
import { AppError } from '../../errors.ts'

export interface Part {
  name: string
  /** As the client wrote it; undefined for a text field. */
  fileName: string | undefined
  contentType: string | undefined
  /** To be read to its end before the next part is asked for. Each piece is freed when the next is asked for. */
  bytes: AsyncIterable<Buffer>
}

const malformed = (): AppError => new AppError('invalid_multipart')
const maxHeadBytes = 16 * 1024
const lineBreak = '\r\n'

/** The boundary that the request's content type names. */
export const boundaryOf = (contentType: string): string => {
  const { boundary } = parseParameters(contentType.slice('multipart/form-data'.length))
  if (boundary === undefined || !/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) throw malformed()
  return boundary
}

/** Takes over the chunks of the source: they are freed here. */
export async function* readParts(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  const reader = new PartReader(source)
  const delimiter = Buffer.from(`${lineBreak}--${boundary}`, 'latin1')
  try {
    const before = await reader.take(delimiter, lineBreak.length)
    if (before.length > 0 && before.toString('latin1') !== lineBreak) throw malformed()
    for (;;) {
      const mark = await reader.takeMark()
      if (mark === '--') return
      if (mark !== lineBreak) throw malformed()
      const head = parseHead(await reader.take(Buffer.from(lineBreak + lineBreak), maxHeadBytes))
      yield { ...head, bytes: reader.until(delimiter) }
    }
  } finally {
    await reader.close()
  }
}

/** Cuts a stream of bytes at delimiters that begin with a carriage return. */
class PartReader {
  readonly #source: AsyncIterator<Buffer>
  /** Begins with a line break, so that the first boundary looks like all others. */
  #held: Buffer = Buffer.from(lineBreak)
  /** The chunk that `#held` is a part of. */
  #chunk: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Bytes up to the delimiter, which is passed over. */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(delimiter)
      if (at !== -1) {
        const last = this.#cut(at)
        this.#cut(delimiter.length)
        if (last.length > 0) yield last
        return
      }
      // The end of what is here may be the beginning of the delimiter.
      const undecided = this.#held.indexOf(
        lineBreak[0] as string,
        Math.max(0, this.#held.length - delimiter.length + 1),
      )
      const sure = this.#cut(undecided === -1 ? this.#held.length : undecided)
      if (sure.length > 0) yield sure
      await this.#readMore()
    }
  }

  /** All bytes up to the delimiter, unless they are too many. */
  async take(delimiter: Buffer, maxBytes: number): Promise<Buffer> {
    const taken: Buffer[] = []
    let size = 0
    for await (const bytes of this.until(delimiter)) {
      size += bytes.length
      if (size > maxBytes) throw malformed()
      taken.push(Buffer.from(bytes))
    }
    return Buffer.concat(taken)
  }

  /** The two characters after a boundary: a line break, or `--` after the last. */
  async takeMark(): Promise<string> {
    while (this.#held.length < 2) await this.#readMore()
    return this.#cut(2).toString('latin1')
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  #cut(length: number): Buffer {
    const cut = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return cut
  }

  async #readMore(): Promise<void> {
    const tail = Buffer.from(this.#held)
    free(this.#chunk)
    const { done, value } = await this.#source.next()
    if (done) throw malformed()
    this.#chunk = value
    if (tail.length > 0) {
      this.#chunk = Buffer.concat([tail, value])
      free(value)
    }
    this.#held = this.#chunk
  }
}

/**
 * Gives the memory back at once: the garbage collector lets more than 60 MB gather before it runs. A buffer that is only
 * a part of its memory shares it with others, and is left to it.
 */
const free = ({ buffer, byteLength }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}

const parseHead = (bytes: Buffer): Omit<Part, 'bytes'> => {
  if (!isUtf8(bytes)) throw new AppError('invalid_text')
  const headers = new Map<string, string>()
  for (const line of bytes.toString('utf8').split(lineBreak)) {
    const [, name = '', value = ''] = /^([\w-]+):[ \t]*([^\r\n\0]*)$/.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase())) throw malformed()
    headers.set(name.toLowerCase(), value)
  }
  // Nobody sends encoded parts any more (RFC 7578, 4.7), and a reader that ignored the encoding would store other bytes.
  if (!/^(binary|8bit|7bit)?$/i.test(headers.get('content-transfer-encoding') ?? '')) throw malformed()
  const disposition = headers.get('content-disposition') ?? ''
  if (!/^form-data\s*;/i.test(disposition)) throw malformed()
  const { name, filename, 'filename*': extended } = parseParameters(disposition.slice('form-data'.length))
  if (name === undefined) throw malformed()
  return {
    name,
    fileName: extended === undefined ? filename : decodeExtended(extended),
    contentType: headers.get('content-type'),
  }
}

const parameter = /\s*;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*/y

/** `; name="value"; other=value`. Browsers escape quotes and line breaks by percent signs, others by a backslash. */
const parseParameters = (text: string): Record<string, string | undefined> => {
  const found = new Map<string, string>()
  parameter.lastIndex = 0
  let at = 0
  while (at < text.length) {
    const [, name = '', quoted, plain = ''] = parameter.exec(text) ?? []
    if (name === '' || found.has(name.toLowerCase())) throw malformed()
    found.set(name.toLowerCase(), quoted === undefined ? plain : unescapeQuoted(quoted))
    at = parameter.lastIndex
  }
  return Object.fromEntries(found)
}

const unescapeQuoted = (text: string): string =>
  text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(22|0D|0A)/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/** `UTF-8''na%C3%AFve.pdf`, as RFC 5987 has it. */
const decodeExtended = (text: string): string => {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text) ?? []
  try {
    return decodeURIComponent(encoded ?? '%')
  } catch {
    throw malformed()
  }
}
