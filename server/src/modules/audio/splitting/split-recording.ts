/** A recording as the pieces that an engine takes: itself, or where it is too long, parts of it cut at pauses. */
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { ChildFailure, type ChildFailureCode, exhausted } from '#kernel/child/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { AudioContext } from '../context.ts'
import type { Recording } from '../engines/engine.ts'

/** Bytes that are stored as a blob. */
export interface StoredRecording {
  key: string
  size: number
  name: string
  type: string
  /** Tenants are served in turn. */
  tenant: string
}

export interface RecordingPiece {
  start: number
  end: number
  read(): Promise<Recording>
}

/** Compatible engines take 25 MB, some of them 25 minutes. */
const limits = { maxBytes: 20 * 1024 * 1024, maxSeconds: 20 * 60, maxPieces: 500 }
const maxWholeBytes = 25 * 1024 * 1024
/** Smaller recordings aren't looked at: they are shorter than that in any usual quality. */
const smallBytes = 2 * 1024 * 1024

const Split = z
  .object({
    kind: z.enum(['wav', 'mp3', 'ogg', 'webm', 'flac', 'mp4']),
    /** None where it needs no cut. */
    pieces: z.array(z.object({ start: z.int().min(0), end: z.int().min(1), head: z.base64() })).max(limits.maxPieces),
  })
  .nullable()

type Deps = Pick<AudioContext, 'blobs' | 'children' | 'splitter'>

export const splitRecording = async (
  context: Deps,
  recording: StoredRecording,
  signal: AbortSignal,
): Promise<RecordingPiece[]> => {
  const { key, name, size, type } = recording
  const whole = { start: 0, end: size, read: async () => ({ bytes: await readBytes(context, key), name, type }) }
  if (size <= smallBytes) return [whole]
  const split = await findPieces(context, recording, signal)
  // The tables of a file that was cut off name samples that it doesn't hold.
  const isWhole = split?.pieces.every(({ start, end }) => start < end && end <= size)
  if (split && isWhole && split.pieces.length > 1) {
    const { kind, pieces } = split
    return pieces.map(({ start, end, head: encoded }) => ({
      start,
      end,
      read: async () => {
        const bytes = await readBytes(context, key, { start, end: end - 1 })
        const head = Buffer.from(encoded, 'base64')
        return { bytes: Buffer.concat([kind === 'wav' ? wavHead(head, bytes.length) : head, bytes]), name, type }
      },
    }))
  }
  if (size > maxWholeBytes)
    throw new AppError('audio_not_readable', {
      detail:
        'A recording of more than 25 MB must be a WAV, MP3, M4A, FLAC, Ogg or WebM file that isn’t damaged. Convert it and upload it again.',
    })
  return [whole]
}

const missing = () => new AppError('audio_not_readable', { detail: "The file's contents are missing." })

const readBytes = async ({ blobs }: Deps, key: string, range?: { start: number; end: number }): Promise<Buffer> => {
  const blob = await blobs.get(key, range)
  if (!blob) throw missing()
  return buffer(blob.stream)
}

/** Undefined where it can't be cut; then an engine may still take it whole. */
const findPieces = async (
  { blobs, children, splitter }: Deps,
  { key, tenant }: StoredRecording,
  signal: AbortSignal,
) => {
  const blob = await blobs.get(key)
  if (!blob) throw missing()
  try {
    return Split.safeParse(await children.run(splitter, 'split', limits, { body: blob.stream, tenant, signal })).data
  } catch (problem) {
    if (problem instanceof ChildFailure && unreadable.has(problem.code)) return undefined
    throw problem
  } finally {
    blob.stream.destroy()
  }
}

const unreadable = new Set<ChildFailureCode>([...exhausted, 'child_task_failed', 'child_protocol_error'])

/** A WAV file's header for this format chunk and so many bytes of samples. */
const wavHead = (format: Buffer, length: number): Buffer => {
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(20 + format.length + length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(format.length, 16)
  const data = Buffer.from('data\0\0\0\0', 'latin1')
  data.writeUInt32LE(length, 4)
  return Buffer.concat([head, format, data])
}
