/**
 * Uploads: a multipart form whose files go to blobs while they arrive. What a handler does not claim is
 * deleted when it ends, whichever way it ends; what a crash leaves is deleted by the blobs' sweep.
 */
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { Blobs, StagedBlob } from '../../blobs/index.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { assertStorableText } from '../../json/well-formed-text.ts'
import { cleanFileName } from './file-name.ts'
import { detectFileType, type FileType, typeBytes } from './file-types.ts'
import { boundaryOf, type Part, readParts } from './multipart.ts'
import { parseWith, problem } from './validation.ts'

export interface UploadSpec {
  /** The limit for each file. */
  maxBytes: number
  /** One by default; at least one is required. */
  maxFiles?: number
  /** Accepted types of the content; any by default. */
  types?: readonly FileType[]
  /** The name of the files' part; `file` by default. */
  field?: string
  /** Takes JSON instead of a form too: it comes as `http.json`, unchecked, with no files and an empty form. */
  orJson?: true
}

export interface UploadedFile extends StagedBlob {
  /** The sender's name for it, cleaned. To be shown, never to be used as a path. */
  name: string
  /** The type by its content; undefined where that tells nothing. */
  type: FileType | undefined
  /** The sender's type for it. To be shown, never to be believed. */
  claimedType: string
  /** Keeps the file. In the transaction that inserts the row with its `key`: both commit or neither does. */
  claim(db: Db): Promise<void>
}

export interface Upload {
  fields: unknown
  files: readonly UploadedFile[]
}

interface Options {
  spec: UploadSpec
  /** The schema of the text fields; without one, none are accepted. */
  schema: z.ZodObject | undefined
  blobs: Blobs
}

const maxFieldBytes = 64 * 1024
const maxFieldsBytes = 256 * 1024

/** Throws with nothing left behind. After it the caller answers for the files: `blobs.discardUnclaimed`. */
export const receiveUpload = async (request: IncomingMessage, options: Options): Promise<Upload> => {
  const { spec, schema, blobs } = options
  const form = new Form(options)
  try {
    const maxBytes = (spec.maxFiles ?? 1) * spec.maxBytes + maxFieldsBytes
    const chunks = chunksOf(request, maxBytes)
    for await (const part of readParts(chunks, boundaryOf(request.headers['content-type'] ?? ''))) await form.add(part)
    form.requireFile()
    return { fields: schema ? parseWith(schema, form.fields) : undefined, files: form.files }
  } catch (problem) {
    await blobs.discardUnclaimed(form.files.map(({ key }) => key))
    throw problem
  } finally {
    // The rest of a refused body is dropped, so that the client gets to read why.
    request.resume()
  }
}

async function* chunksOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) throw new AppError('body_too_large')
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > maxBytes) throw new AppError('body_too_large')
      yield chunk as Buffer
    }
  } catch (problem) {
    throw problem instanceof AppError ? problem : new AppError('invalid_request', { cause: problem })
  }
}

/** The form as far as it has come. Every part must be one that the route knows. */
class Form {
  readonly fields: Record<string, string> = {}
  readonly files: UploadedFile[] = []
  readonly #options: Options
  readonly #field: string
  #fieldsBytes = 0

  constructor(options: Options) {
    this.#options = options
    this.#field = options.spec.field ?? 'file'
  }

  async add(part: Part): Promise<void> {
    if (part.name === this.#field) this.files.push(await this.#store(part))
    else await this.#addField(part)
  }

  requireFile(): void {
    if (this.files.length === 0) throw problem([this.#field], 'A file is required.', 'missing')
  }

  async #store(part: Part): Promise<UploadedFile> {
    const { spec, blobs } = this.#options
    const { fileName } = part
    if (fileName === undefined) throw problem([this.#field], 'This must be a file, with a file name.', 'invalid_type')
    if (this.files.length >= (spec.maxFiles ?? 1)) throw new AppError('too_many_files')
    const { type, bytes } = await withType(part.bytes)
    if (spec.types && !(type && spec.types.includes(type))) throw new AppError('file_type_not_allowed')
    const blob = await blobs.stage(limited(bytes, spec.maxBytes), { area: 'uploads', contentType: type })
    return {
      ...blob,
      name: cleanFileName(fileName),
      type,
      claimedType: cleanType(part.contentType),
      claim: (db) => blobs.claim(db, blob.key),
    }
  }

  async #addField({ name, fileName, bytes }: Part): Promise<void> {
    const shape = this.#options.schema?.shape ?? {}
    if (!Object.hasOwn(shape, name)) throw problem([name], 'This form has no such field.', 'unrecognized_keys')
    if (fileName !== undefined) throw problem([name], 'This field takes text, not a file.', 'invalid_type')
    if (Object.hasOwn(this.fields, name)) throw problem([name], 'This field was sent twice.', 'duplicate')
    const text = await textOf(bytes, name)
    this.#fieldsBytes += text.length
    if (this.#fieldsBytes > maxFieldsBytes) throw new AppError('body_too_large')
    this.fields[name] = text
  }
}

const textOf = async (bytes: AsyncIterable<Buffer>, name: string): Promise<string> => {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > maxFieldBytes) throw new AppError('body_too_large', { detail: `The field ${name} is too long.` })
    pieces.push(Buffer.from(piece))
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces))
    assertStorableText(text)
    return text
  } catch {
    throw new AppError('invalid_text')
  }
}

/** Waits for the first bytes, and gives all of them back together with what they are. */
const withType = async (source: AsyncIterable<Buffer>) => {
  const iterator = source[Symbol.asyncIterator]()
  const rest: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => iterator }
  let head: Buffer = Buffer.alloc(0)
  while (head.length < typeBytes) {
    const next = await iterator.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const bytes = async function* (): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head
    yield* rest
  }
  return { type: head.length === 0 ? undefined : detectFileType(head.subarray(0, typeBytes)), bytes: bytes() }
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const bytes of source) {
    size += bytes.length
    if (size > maxBytes) throw new AppError('file_too_large', { detail: `The file is larger than ${maxBytes} bytes.` })
    yield bytes
  }
}

const cleanType = (claimed: string | undefined): string => {
  const type = claimed?.split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'application/octet-stream'
}
