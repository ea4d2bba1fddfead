/** Reads the file of a backup from front to back, and refuses one that was cut or changed. */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { parseOwn } from '#kernel/json/parse-own.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { type ArchiveKind, maxFrameBytes, maxWholeBytes, type PartHeader, type PartTrailer } from './format.ts'

export interface Part {
  header: PartHeader
  /** As it was written. What of it nobody reads is skipped; its checksum is compared in any case. */
  content: AsyncIterable<Buffer>
  /** Of the headers and trailers before this part. */
  digestBefore: Buffer
  partsBefore: number
  /** Once the next part was asked for. */
  trailer(): PartTrailer
}

const damaged = (what: string): StartError => new StartError(`The file is damaged: ${what}. Use another one.`)
const cut = (): StartError => damaged('it ends in the middle')

export async function* readParts(path: string, kind: ArchiveKind): AsyncGenerator<Part> {
  const file = await open(path, 'r').catch((problem: Error) => {
    throw new StartError(`The ${kind.noun} cannot be read: ${problem.message}.`, { cause: problem })
  })
  try {
    const { take, frame } = createTaker(file)
    await requireMagic(take, kind)
    const hash = createHash('sha256')
    const readDescription = async (): Promise<unknown> => {
      const bytes = await frame()
      hash.update(bytes)
      try {
        return parseOwn(bytes.toString())
      } catch {
        throw damaged('a description cannot be read')
      }
    }
    for (let partsBefore = 0, isLast = false; !isLast; partsBefore += 1) {
      const digestBefore = hash.copy().digest()
      const header = (await readDescription()) as PartHeader
      const measured = unpack(header, frame)
      let trailer: PartTrailer | undefined
      yield {
        header,
        content: measured.content,
        digestBefore,
        partsBefore,
        trailer: () => trailer ?? failEarly(),
      }
      await measured.skip()
      trailer = (await readDescription()) as PartTrailer
      const { bytes, sha256 } = measured.result()
      if (bytes !== trailer.bytes || sha256 !== trailer.sha256)
        throw damaged(`the content of ${header.name} was changed`)
      isLast = header.name === 'end'
    }
  } finally {
    await file.close()
  }
}

const failEarly = (): never => {
  throw new Error('The part has not been read to its end.')
}

type Take = (length: number) => Promise<Buffer>

const createTaker = (file: FileHandle) => {
  const take: Take = async (length) => {
    const bytes = Buffer.alloc(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled)
      if (bytesRead === 0) throw cut()
      filled += bytesRead
    }
    return bytes
  }
  const frame = async (): Promise<Buffer> => {
    const length = (await take(4)).readUInt32BE()
    if (length > maxFrameBytes) throw damaged('a length is not possible')
    return take(length)
  }
  return { take, frame }
}

const requireMagic = async (take: Take, { magic, noun }: ArchiveKind): Promise<void> => {
  const found = await take(magic.length).catch(() => Buffer.alloc(0))
  if (found.toString() === magic) return
  if (found.toString().startsWith(magic.slice(0, -2)))
    throw new StartError(`The ${noun} was made by a newer Chancery: use that release, or a later one.`)
  throw new StartError(`The file is not ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} of Chancery.`)
}

const unpack = (header: PartHeader, frame: () => Promise<Buffer>) => {
  let isEnded = false
  async function* frames(): AsyncGenerator<Buffer> {
    for (let bytes = await frame(); bytes.length > 0; bytes = await frame()) yield bytes
    isEnded = true
  }
  const hash = createHash('sha256')
  let bytes = 0
  async function* plain(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of header.compression === 'zstd' ? decompress(frames()) : frames()) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    } catch (problem) {
      if (problem instanceof StartError || !isCompression(problem)) throw problem
      throw damaged(`the content of ${header.name} was changed`)
    }
  }
  const content = plain()
  return {
    content: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) },
    skip: async (): Promise<void> => {
      while (!(await content.next()).done);
      if (!isEnded) throw damaged(`${header.name} is longer than it says`)
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}

const isCompression = (problem: unknown): boolean =>
  /^(ZSTD|Z_)/.test(String((problem as { code?: unknown }).code)) || /zstd|Unknown frame/i.test(String(problem))

const decompress = (packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  // A failure destroys what is iterated, and so reaches who reads it.
  pipeline(Readable.from(packed), createZstdDecompress(), () => undefined)

/** For what is small by nature. */
export const readWhole = async ({ header, content }: Part): Promise<unknown> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > maxWholeBytes) throw damaged(`${header.name} is too long`)
    chunks.push(chunk)
  }
  try {
    return parseOwn(Buffer.concat(chunks).toString())
  } catch {
    throw damaged(`${header.name} cannot be read`)
  }
}
