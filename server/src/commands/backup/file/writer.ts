/** Writes the file of a backup: beside its name first, and renamed once all of it is on the disk. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { StartError } from '#kernel/process/start-error.ts'
import { type ArchiveKind, maxFrameBytes, type PartHeader, type PartTrailer } from './format.ts'
import { openPartialFile, type PartialFile } from './partial-file.ts'

export type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface ArchiveWriter {
  /** `facts` is asked when the content has ended. */
  write(header: PartHeader, content: Content, facts?: () => Partial<PartTrailer>): Promise<PartTrailer>
  /** Of the headers and trailers so far. */
  digest(): Buffer
  parts(): number
  bytes(): number
}

interface OpenArchive extends ArchiveWriter {
  finish: PartialFile['finish']
  discard: PartialFile['discard']
}

interface Destination {
  path: string
  kind: ArchiveKind
}

/** A failure leaves what was at `path` before. */
export const writeArchive = async <Result>(
  destination: Destination,
  work: (writer: ArchiveWriter) => Promise<Result>,
): Promise<Result & { bytes: number }> => {
  const writer = await createWriter(destination)
  try {
    const result = await work(writer)
    await writer.finish()
    return { ...result, bytes: writer.bytes() }
  } catch (problem) {
    await writer.discard()
    throw asSentence(problem, destination)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large there',
}

const asSentence = (problem: unknown, { path, kind }: Destination): unknown => {
  const { code = '', syscall } = problem as NodeJS.ErrnoException
  const reason = syscall === undefined ? undefined : reasons[code]
  if (reason === undefined) return problem
  return new StartError(
    `The ${kind.noun} can't be written to ${path}: ${reason}. What was there before is unchanged.`,
    {
      cause: problem,
    },
  )
}

const bufferBytes = 256 * 1024

const createWriter = async ({ path, kind }: Destination): Promise<OpenArchive> => {
  const partial = await openPartialFile({ path, kind })
  const out = createBuffered(partial.file)
  const hash = createHash('sha256')
  let parts = 0
  await out.append(Buffer.from(kind.magic))

  const writeDescription = async (description: PartHeader | PartTrailer): Promise<void> => {
    const bytes = Buffer.from(JSON.stringify(description))
    hash.update(bytes)
    await out.frame(bytes)
  }
  return {
    async write(header, content, facts) {
      const measured = measure(content)
      await writeDescription(header)
      const writeFrames = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
        for await (const chunk of chunks)
          for (let at = 0; at < chunk.length; at += maxFrameBytes)
            await out.frame(chunk.subarray(at, at + maxFrameBytes))
      }
      if (header.compression === 'none') await writeFrames(measured.chunks())
      else await pipeline(Readable.from(measured.chunks()), createZstdCompress(), writeFrames)
      await out.frame(Buffer.alloc(0))
      const trailer = { ...measured.result(), ...facts?.() }
      await writeDescription(trailer)
      parts += 1
      return trailer
    },
    digest: () => hash.copy().digest(),
    parts: () => parts,
    bytes: out.bytes,
    async finish() {
      await out.flush()
      await partial.finish()
    },
    discard: partial.discard,
  }
}

const measure = (content: Content) => {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    chunks: async function* () {
      for await (const chunk of content) {
        hash.update(chunk)
        bytes += chunk.length
        if (chunk.length > 0) yield chunk
      }
    },
    result: (): PartTrailer => ({ bytes, sha256: hash.digest('hex') }),
  }
}

/** Small frames go to the disk together. */
const createBuffered = (file: FileHandle) => {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let bytes = 0
  const flush = async (): Promise<void> => {
    const all = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    for (let at = 0; at < all.length; ) at += (await file.write(all, at)).bytesWritten
  }
  const append = async (chunk: Uint8Array): Promise<void> => {
    waiting.push(chunk)
    waitingBytes += chunk.length
    bytes += chunk.length
    if (waitingBytes >= bufferBytes) await flush()
  }
  const frame = async (chunk: Uint8Array): Promise<void> => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    await append(length)
    if (chunk.length > 0) await append(chunk)
  }
  return { append, frame, flush, bytes: () => bytes }
}
