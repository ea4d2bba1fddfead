/**
 * A frame that was read once stands for all that differ from it only in what the model says, which is nearly every frame
 * of a stream: those are recognised by their bytes instead of being parsed. Pure.
 */

const contentKeys = [Buffer.from('content":"'), Buffer.from('content": "')]
const quote = 0x22
const backslash = 0x5c
const firstPrintable = 0x20
const letterU = 0x75
const escapes = new Set(Buffer.from('"\\/bfnrtu'))

/** Around the text of a frame: its other bytes, as they came and as they are passed on. */
export interface FrameShape {
  before: Buffer
  after: Buffer
  passed: { before: Buffer; after: Buffer } | undefined
}

/** Undefined where no text is found. `passed` is what the frame became, or undefined if it stays as it is. */
export const shapeOf = (frame: Buffer, passed: Buffer | undefined): FrameShape | undefined => {
  const own = aroundText(frame)
  if (!own || !passed) return own && { ...own, passed: undefined }
  const other = aroundText(passed)
  // With more than one it is not certain that they are the same.
  return own.isOnly && other?.isOnly ? { ...own, passed: other } : undefined
}

interface AroundText {
  before: Buffer
  after: Buffer
  isOnly: boolean
}

/** Of the last text. Inside of a JSON string quotes are escaped, so the key is not found in what the model says. */
const aroundText = (frame: Buffer): AroundText | undefined => {
  const places = contentKeys.flatMap((key) => placesOf(frame, key))
  const start = Math.max(...places)
  const end = places.length > 0 ? endOfText(frame, start) : -1
  if (end === -1) return undefined
  const [before, after] = [frame.subarray(0, start), frame.subarray(end)].map((part) => Buffer.from(part))
  return before && after && { before, after, isOnly: places.length === 1 }
}

/** One past each. */
const placesOf = (frame: Buffer, key: Buffer): number[] => {
  const places: number[] = []
  for (let at = frame.indexOf(key); at !== -1; at = frame.indexOf(key, at + 1)) places.push(at + key.length)
  return places
}

/** Where the text of a frame of this shape ends that begins at `from`; -1 if there is none. */
export const textEndIn = (bytes: Buffer, from: number, { before, after }: FrameShape): number => {
  if (!holdsAt(bytes, from, before)) return -1
  const end = endOfText(bytes, from + before.length)
  return end !== -1 && holdsAt(bytes, end, after) ? end : -1
}

const holdsAt = (bytes: Buffer, from: number, expected: Buffer): boolean => {
  if (from + expected.length > bytes.length) return false
  for (let at = 0; at < expected.length; at += 1) if (bytes[from + at] !== expected[at]) return false
  return true
}

/** The closing quote of a JSON string that is valid up to there; -1 otherwise. */
const endOfText = (bytes: Buffer, from: number): number => {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === quote) return at
    if (byte < firstPrintable) return -1
    if (byte !== backslash) continue
    at += 1
    const escaped = bytes[at] as number
    if (!escapes.has(escaped)) return -1
    if (escaped !== letterU) continue
    if (!/^[\da-f]{4}$/i.test(bytes.toString('latin1', at + 1, at + 5))) return -1
    at += 4
  }
  return -1
}
