/** Reads server-sent events out of bytes. Only values are decoded. */
import { SseFrameTooLarge } from './frame-cutter.ts'

export interface SseFrame {
  /** Null where the frame names none. */
  event: string | null
  data: string
  /** The frame's own; ids of earlier frames are not carried over. */
  id: string | null
}

const lf = 10
const cr = 13
const space = 32
const colon = 58

/** The events in bytes that hold whole frames, as a `FrameCutter` returns them. */
export function* parseFrames(bytes: Buffer, maxFrameBytes = Number.POSITIVE_INFINITY): Generator<SseFrame> {
  let frame = emptyFrame()
  let frameStart = 0
  let lineStart = 0
  const end = bytes.length
  while (lineStart < end) {
    const lineEnd = endOfLine(bytes, lineStart)
    if (lineEnd - frameStart > maxFrameBytes) throw new SseFrameTooLarge(maxFrameBytes)
    const next = bytes[lineEnd] === cr && bytes[lineEnd + 1] === lf ? lineEnd + 2 : lineEnd + 1
    if (lineEnd > lineStart) readField(frame, bytes, lineStart, lineEnd)
    else {
      if (frame.data !== null) yield frame as SseFrame
      frame = emptyFrame()
      frameStart = next
    }
    lineStart = next
  }
  if (frame.data !== null) yield frame as SseFrame
}

interface OpenFrame {
  event: string | null
  data: string | null
  id: string | null
}

const emptyFrame = (): OpenFrame => ({ event: null, data: null, id: null })

const endOfLine = (bytes: Buffer, from: number): number => {
  let at = from
  while (at < bytes.length && bytes[at] !== lf && bytes[at] !== cr) at += 1
  return at
}

/** One line without its end. Comments have an empty name, and fields we don't know are ignored. */
const readField = (frame: OpenFrame, bytes: Buffer, from: number, end: number): void => {
  const nameEnd = endOfName(bytes, from, end)
  const valueStart =
    nameEnd === end ? end : bytes[nameEnd + 1] === space && nameEnd + 1 < end ? nameEnd + 2 : nameEnd + 1
  const value = (): string => bytes.toString('utf8', valueStart, end)
  if (isNamed(bytes, dataName, from, nameEnd)) frame.data = frame.data === null ? value() : `${frame.data}\n${value()}`
  else if (isNamed(bytes, eventName, from, nameEnd)) frame.event = value()
  else if (isNamed(bytes, idName, from, nameEnd)) frame.id = value().includes('\0') ? frame.id : value()
}

const dataName = Buffer.from('data')
const eventName = Buffer.from('event')
const idName = Buffer.from('id')

/** The position of the colon, or the end of a line without one. */
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
