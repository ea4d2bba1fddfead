/**
 * A frame that was read once stands for all that differ from it only in what the model says, which is nearly every frame
 * of a stream: those are recognised by their bytes instead of being parsed. Pure.
 */

const contentKeys = [Buffer.from('content":"'), Buffer.from('content": "')]
/** Of texts that a model writes, in any API: what it says and thinks, and what it asks tools for. */
const textKeys = ['content', 'reasoning', 'thinking', 'arguments', 'refusal', 'text', 'response', 'delta'].map((key) =>
  Buffer.from(`${key}":`),
)
const quote = 0x22
const backslash = 0x5c
const firstPrintable = 0x20
const letterU = 0x75
const escapes = new Set(Buffer.from('"\\/bfnrtu'))

/** The bytes around the text of a frame. */
interface Around {
  before: Buffer
  after: Buffer
}

export interface FrameShape extends Around {
  /** The bytes around it on their way to the caller; undefined if they are the same. */
  passed: Around | undefined
  /** Bytes of text that all such frames have, beside the one that differs. */
  otherTextBytes: number
}

/** Undefined where no text is found. `cleaned` may be the frame itself; what is around its text is then rewritten. */
export const shapeOf = (
  frame: Buffer,
  cleaned: Buffer,
  rewrite: (part: Buffer) => Buffer = (part) => part,
): FrameShape | undefined => {
  const own = aroundText(frame)
  const left = cleaned === frame ? own : aroundText(cleaned)
  // With more than one text it is not certain which of them is which.
  if (!own || !left || (left !== own && !(own.isOnly && left.isOnly))) return undefined
  const { before, after } = own
  const passed = { before: rewrite(left.before), after: rewrite(left.after) }
  const isSame = passed.before === before && passed.after === after
  const otherTextBytes = textBytesIn(cleaned) - (frame.length - before.length - after.length)
  return { before, after, passed: isSame ? undefined : passed, otherTextBytes }
}

/** Around the last text. Inside of a JSON string quotes are escaped, so the key is not found in what the model says. */
const aroundText = (frame: Buffer): (Around & { isOnly: boolean }) | undefined => {
  const places = contentKeys.flatMap((key) => placesOf(frame, key))
  const start = Math.max(...places)
  const end = places.length > 0 ? endOfText(frame, start) : -1
  if (end === -1) return undefined
  // Copies: the frame is a view of a far larger piece of memory.
  const before = Buffer.from(frame.subarray(0, start))
  return { before, after: Buffer.from(frame.subarray(end)), isOnly: places.length === 1 }
}

/** One past each. */
const placesOf = (frame: Buffer, key: Buffer): number[] => {
  const places: number[] = []
  for (let at = frame.indexOf(key); at !== -1; at = frame.indexOf(key, at + 1)) places.push(at + key.length)
  return places
}

/** The end of the text of a frame of this shape that begins at `from`; -1 if there is none. */
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

/** The length of the strings under keys of a model's texts, such as `content` and `reasoning_content`. */
export const textBytesIn = (frame: Buffer): number => textKeys.reduce((sum, key) => sum + textBytesUnder(frame, key), 0)

const textBytesUnder = (frame: Buffer, key: Buffer): number => {
  let total = 0
  for (let at = frame.indexOf(key); at !== -1; at = frame.indexOf(key, at)) {
    at += key.length
    while (frame[at] === 0x20) at += 1
    if (frame[at] !== quote) continue
    const start = at + 1
    for (at = start; at < frame.length && frame[at] !== quote; at += 1) if (frame[at] === backslash) at += 1
    total += at - start
  }
  return total
}
