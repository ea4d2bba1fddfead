/** Single server-sent events within bytes that hold whole ones. Pure. */
import { parsePiece } from '#kernel/json/parse-foreign.ts'
import { parseFrames } from '#kernel/sse/sse-parser.ts'

export const lf = 10
export const cr = 13
const space = 32

export interface Frame {
  bytes: Buffer
  name: string | null
  data: string
  /** One line of data and nothing else. */
  isPlain: boolean
}

/** A frame where it begins, with the blank line that ends it; or the line ends before a frame. */
export interface Found {
  bytes: Buffer
  /** The end of its line if there is only one; -1 otherwise. */
  lineEnd: number
}

export const frameAt = (all: Buffer, from: number): Found => {
  const blankEnd = endOfBlank(all, from)
  if (blankEnd > from) return { bytes: all.subarray(from, blankEnd), lineEnd: 0 }
  const lineEnd = endOfLine(all, from)
  let [at, next] = [lineEnd, afterLineEnd(all, lineEnd)]
  while (next < all.length && !isLineEnd(all[next])) {
    at = endOfLine(all, next)
    next = afterLineEnd(all, at)
  }
  const isOneLine = at === lineEnd && lineEnd < all.length
  return { bytes: all.subarray(from, afterLineEnd(all, next)), lineEnd: isOneLine ? lineEnd - from : -1 }
}

const isLineEnd = (byte: number | undefined): boolean => byte === lf || byte === cr

const endOfBlank = (bytes: Buffer, from: number): number => {
  let at = from
  while (isLineEnd(bytes[at])) at += 1
  return at
}

const endOfLine = (bytes: Buffer, from: number): number => {
  let at = from
  while (at < bytes.length && bytes[at] !== lf && bytes[at] !== cr) at += 1
  return at
}

/** One past the line end at this offset: \n, \r\n or \r. */
const afterLineEnd = (bytes: Buffer, at: number): number => (bytes[at] === cr && bytes[at + 1] === lf ? at + 2 : at + 1)

/** `blank` for comments and blank lines; undefined for what has no data. */
export const readFrame = ({ bytes, lineEnd }: Found): Frame | 'blank' | undefined => {
  if (lineEnd === 0) return 'blank'
  const isPlain = lineEnd !== -1 && dataKey.every((byte, at) => bytes[at] === byte)
  if (isPlain) return asFrame({ bytes, name: null, isPlain, data: bytes.toString('utf8', startOfData(bytes), lineEnd) })
  const [read] = parseFrames(bytes)
  if (read) return asFrame({ bytes, name: read.event, isPlain, data: read.data })
  return isComment(bytes) ? 'blank' : undefined
}

const dataKey = [...Buffer.from('data:')]

const startOfData = (bytes: Buffer): number => (bytes[dataKey.length] === space ? dataKey.length + 1 : dataKey.length)

const asFrame = (frame: Frame): Frame | undefined => (frame.data.trim() === '' ? undefined : frame)

/** Every line begins with a colon, or is empty. */
const isComment = (bytes: Buffer): boolean => !/(?:^|[\r\n])[^:\r\n]/.test(bytes.toString('latin1'))

/**
 * The frame that a provider left at its end without the blank line, with it; undefined if it broke off within the
 * frame.
 */
export const closedFrame = (rest: Buffer): Buffer | undefined => {
  const frame = readFrame(frameAt(rest, 0))
  if (!frame || frame === 'blank') return undefined
  const isWhole = frame.data === '[DONE]' || parsePiece(frame.data) !== undefined
  return isWhole ? Buffer.concat([rest, Buffer.from('\n\n')]) : undefined
}
