/**
 * Reads server-sent events out of bytes that arrive cut anywhere: inside a character, between \r and \n, in the middle of
 * a name. Every byte is looked at once, and only values are decoded. What comes out does not depend on the cuts.
 */
import { createLineBuffer } from './line-buffer.ts'

export interface SseFrame {
  /** Null where the frame names none. */
  event: string | null
  data: string
  /** The frame's own; ids of earlier frames are not carried on. */
  id: string | null
}

export interface SseParser {
  /** The frames that these bytes complete. `SseFrameTooLarge` is thrown after all frames before it are out. */
  push(bytes: Uint8Array): SseFrame[]
  /** What is left when the sender ends without the closing blank line; its last line may be half a line. */
  end(): SseFrame[]
}

export class SseFrameTooLarge extends Error {
  readonly maxFrameBytes: number

  constructor(maxFrameBytes: number) {
    super(`A server-sent event is larger than ${maxFrameBytes} bytes.`)
    this.name = 'SseFrameTooLarge'
    this.maxFrameBytes = maxFrameBytes
  }
}

const lf = 10
const cr = 13
const space = 32
const colon = 58

export const createSseParser = ({ maxFrameBytes }: { maxFrameBytes: number }): SseParser => {
  const tail = createLineBuffer()
  let frames: SseFrame[] = []
  let data: string | null = null
  let event: string | null = null
  let id: string | null = null
  /** Bytes of the frame's finished lines. Comments are dropped at once and do not count. */
  let held = 0
  let isFirstLine = true
  let isAfterCr = false
  let failure: SseFrameTooLarge | undefined

  const finishFrame = () => {
    if (data !== null) frames.push({ event, data, id })
    data = event = id = null
    held = 0
  }

  /** A line without its end, within bytes that hold more: no view is made of it. */
  const takeField = (bytes: Buffer, from: number, end: number) => {
    const nameEnd = endOfName(bytes, from, end)
    const valueStart =
      nameEnd === end ? end : bytes[nameEnd + 1] === space && nameEnd + 1 < end ? nameEnd + 2 : nameEnd + 1
    if (isNamed(bytes, dataName, from, nameEnd)) {
      const value = bytes.toString('utf8', valueStart, end)
      data = data === null ? value : `${data}\n${value}`
    } else if (isNamed(bytes, eventName, from, nameEnd)) event = bytes.toString('utf8', valueStart, end)
    else if (isNamed(bytes, idName, from, nameEnd)) {
      const value = bytes.toString('utf8', valueStart, end)
      if (!value.includes('\0')) id = value
    }
  }

  const takeLine = (bytes: Buffer, start: number, end: number) => {
    const from = isFirstLine && startsWithMark(bytes, start, end) ? start + 3 : start
    isFirstLine = false
    if (from === end) return finishFrame()
    if (held + end - start > maxFrameBytes) {
      failure = new SseFrameTooLarge(maxFrameBytes)
      return
    }
    if (bytes[from] === colon) return
    held += end - start
    takeField(bytes, from, end)
  }

  const takeTail = () => {
    const line = tail.take()
    takeLine(line, 0, line.length)
  }

  const finishLine = (chunk: Buffer, start: number, end: number) => {
    if (tail.length === 0) return takeLine(chunk, start, end)
    tail.append(chunk.subarray(start, end))
    takeTail()
  }

  const split = (chunk: Buffer) => {
    let start = 0
    if (isAfterCr && chunk.length > 0) {
      isAfterCr = false
      if (chunk[0] === lf) start = 1
    }
    let nextLf = chunk.indexOf(lf, start)
    let nextCr = chunk.indexOf(cr, start)
    while (!failure && (nextLf >= 0 || nextCr >= 0)) {
      const endsInCr = nextCr >= 0 && (nextLf < 0 || nextCr < nextLf)
      const end = endsInCr ? nextCr : nextLf
      finishLine(chunk, start, end)
      start = endsInCr && chunk[end + 1] === lf ? end + 2 : end + 1
      isAfterCr = endsInCr && end === chunk.length - 1
      // Each kind is searched for again only when passed: a chunk without one of them is not read over and over.
      if (nextLf >= 0 && nextLf < start) nextLf = chunk.indexOf(lf, start)
      if (nextCr >= 0 && nextCr < start) nextCr = chunk.indexOf(cr, start)
    }
    if (failure || start >= chunk.length) return
    tail.append(chunk.subarray(start))
    if (held + tail.length > maxFrameBytes) failure = new SseFrameTooLarge(maxFrameBytes)
  }

  const deliver = (): SseFrame[] => {
    const done = frames
    if (failure && done.length === 0) throw failure
    frames = []
    return done
  }

  return {
    push: (bytes) => {
      if (!failure)
        split(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      return deliver()
    },
    end: () => {
      if (!failure && tail.length > 0) takeTail()
      if (!failure) finishFrame()
      return deliver()
    },
  }
}

const dataName = Buffer.from('data')
const eventName = Buffer.from('event')
const idName = Buffer.from('id')

/** Where the colon is, or the end of a line without one. Names are short, so this is soon over. */
const endOfName = (bytes: Buffer, from: number, end: number): number => {
  let at = from
  while (at < end && bytes[at] !== colon) at += 1
  return at
}

const isNamed = (bytes: Buffer, name: Buffer, from: number, end: number): boolean => {
  if (end - from !== name.length) return false
  for (let i = 0; i < name.length; i++) if (bytes[from + i] !== name[i]) return false
  return true
}

/** The byte order mark that a stream may begin with. */
const startsWithMark = (bytes: Buffer, start: number, end: number) =>
  end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
