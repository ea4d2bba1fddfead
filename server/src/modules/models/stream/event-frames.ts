/** Single frames within bytes that hold whole server-sent events, for a look at one without parsing the others. Pure. */
import { parseFrames } from '#kernel/sse/sse-parser.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/** The frame that holds this offset, with the blank line that ends it. */
export const frameAround = (bytes: Buffer, at: number): Buffer => {
  const before = Math.max(bytes.lastIndexOf('\n\n', at), bytes.lastIndexOf('\n\r\n', at))
  let start = before === -1 ? 0 : before
  while (start < at && (bytes[start] === newline || bytes[start] === carriageReturn)) start += 1
  const plain = bytes.indexOf('\n\n', at)
  const withReturns = bytes.indexOf('\n\r\n', at)
  const ends = [plain === -1 ? undefined : plain + 2, withReturns === -1 ? undefined : withReturns + 3]
  return bytes.subarray(start, Math.min(...ends.map((end) => end ?? bytes.length)))
}

/** Both are views of one piece of memory unless an earlier cut has copied. */
export const without = (bytes: Buffer, frame: Buffer): Buffer => {
  const at = bytes.indexOf(frame)
  if (at === -1) return bytes
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + frame.length)])
}

/** The JSON of its data; undefined if there is none. */
export const parseFrame = (frame: Buffer): unknown => {
  for (const { data } of parseFrames(frame)) return parsed(data)
  return undefined
}

/** What a provider left at its end without the blank line, with it; undefined if it broke off within the frame. */
export const closedFrame = (rest: Buffer): Buffer | undefined => {
  for (const { data } of parseFrames(rest))
    if (data === '[DONE]' || parsed(data) !== undefined) return Buffer.concat([rest, Buffer.from('\n\n')])
  return undefined
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
