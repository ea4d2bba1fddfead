/**
 * Reads along in a stream of server-sent events as cheaply as can be. Bytes go on as they came. A frame is parsed only
 * if it holds a usage object, and is taken out only if it holds nothing else and nobody asked for it. For that, the part
 * of a frame that came without its end is held back, up to a limit: a longer one is no usage frame and goes on at once.
 */
import { readUsage, type TokenCounts } from './estimate.ts'
import { endOfLastFrame, frameAround, parseFrame, without } from './event-frames.ts'
import { toldFailure } from './provider-errors.ts'

const usageKey = Buffer.from('"usage"')
const contentKey = Buffer.from('content":')
const emptyChoices = /"choices"\s*:\s*\[\s*\]/
const errorStart = Buffer.from('data: {"error"')
const maxHeldBytes = 64 * 1024
const quote = 0x22
const backslash = 0x5c
const brace = 0x7b

export class UsageScanner {
  readonly #cutsUsage: boolean
  #held: Buffer | undefined
  /** The last frame with a usage object; parsed at the end, since some providers send a growing one with every frame. */
  #usageFrame: Buffer | undefined
  #usage: TokenCounts | undefined
  /** Bytes of text that the model has said, for an estimate where no usage comes. */
  textBytes = 0
  hasToldError = false

  constructor(options: { cutsUsage: boolean }) {
    this.#cutsUsage = options.cutsUsage
  }

  /** What may go on now; undefined when nothing. */
  take(chunk: Buffer): Buffer | undefined {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = undefined
    const end = endOfLastFrame(bytes)
    if (end === bytes.length) return this.#pass(bytes)
    if (bytes.length - end > maxHeldBytes) return this.#pass(bytes)
    this.#held = bytes.subarray(end)
    return end === 0 ? undefined : this.#pass(bytes.subarray(0, end))
  }

  /** What was held back when the stream ended within a frame. */
  rest(): Buffer | undefined {
    const held = this.#held
    this.#held = undefined
    return held && this.#pass(held)
  }

  usage(): TokenCounts | undefined {
    return this.#usageFrame ? usageIn(parseFrame(this.#usageFrame)) : this.#usage
  }

  #pass(bytes: Buffer): Buffer | undefined {
    this.textBytes += textIn(bytes)
    if (bytes.length > errorStart.length && bytes.compare(errorStart, 0, errorStart.length, 0, errorStart.length) === 0)
      this.hasToldError = true
    let passed = bytes
    for (let at = bytes.indexOf(usageKey); at !== -1; at = bytes.indexOf(usageKey, at + usageKey.length)) {
      if (!isObjectAfter(bytes, at + usageKey.length)) continue
      const frame = frameAround(bytes, at)
      // A copy: the frame is a view of a far larger piece of memory.
      this.#usageFrame = Buffer.from(frame)
      if (!this.#cutsUsage || !emptyChoices.test(frame.toString('latin1'))) continue
      const chunk = parseFrame(frame)
      if (!isUsageAlone(chunk)) continue
      this.#usageFrame = undefined
      this.#usage = usageIn(chunk)
      passed = without(passed, frame)
    }
    return passed.length === 0 ? undefined : passed
  }
}

/** The error that a first frame tells, before anything went on: then it can still become a status. */
export const errorToldIn = (bytes: Buffer): Error | undefined => {
  if (bytes.length <= errorStart.length || bytes.compare(errorStart, 0, errorStart.length, 0, errorStart.length) !== 0)
    return undefined
  return toldFailure(parseFrame(frameAround(bytes, 0)))
}

const isObjectAfter = (bytes: Buffer, from: number): boolean => {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x3a) at += 1
  return bytes[at] === brace
}

const isUsageAlone = (chunk: unknown): boolean => {
  const choices = (chunk as { choices?: unknown } | undefined | null)?.choices
  return Array.isArray(choices) && choices.length === 0
}

const usageIn = (chunk: unknown): TokenCounts | undefined =>
  readUsage((chunk as { usage?: unknown } | undefined | null)?.usage)

/** How long the strings under `content` and `reasoning_content` are. */
const textIn = (bytes: Buffer): number => {
  let total = 0
  for (let at = bytes.indexOf(contentKey); at !== -1; at = bytes.indexOf(contentKey, at)) {
    at += contentKey.length
    while (bytes[at] === 0x20) at += 1
    if (bytes[at] !== quote) continue
    const start = at + 1
    for (at = start; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1
    total += at - start
  }
  return total
}
