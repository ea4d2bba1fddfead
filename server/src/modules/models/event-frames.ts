/** Frames of server-sent events within bytes: where they begin and end, and what they hold. Pure. */

const newline = 0x0a
const carriageReturn = 0x0d

/** One past the blank line that ends the last whole frame; 0 when there is none. */
export const endOfLastFrame = (bytes: Buffer): number => {
  const { length } = bytes
  if (length >= 2 && bytes[length - 1] === newline && bytes[length - 2] === newline) return length
  const plain = bytes.lastIndexOf('\n\n')
  const withReturns = bytes.lastIndexOf('\n\r\n')
  return Math.max(plain === -1 ? 0 : plain + 2, withReturns === -1 ? 0 : withReturns + 3)
}

/** The frame that holds this place, with the blank line that ends it. */
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

/** The JSON of its data; undefined where that is none. */
export const parseFrame = (frame: Buffer): unknown => {
  const text = frame.toString('utf8')
  // One line of data, as nearly all frames are; JSON does not mind the line ends after it.
  return (text.startsWith('data:') ? parsed(text.slice(5)) : undefined) ?? parsed(dataLines(text))
}

const dataLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
    .join('\n')

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
