/**
 * Reads usage out of a stream of server-sent events as cheaply as possible. It is given whole frames and passes them on
 * as they are. A frame is parsed only if it holds a usage object, and removed only if it holds nothing else and the
 * caller didn't ask for it.
 */
import { readUsage, type TokenCounts } from './estimate.ts'
import { frameAround, parseFrame, without } from './event-frames.ts'
import { failureInBody } from './provider-errors.ts'

const usageKey = Buffer.from('"usage"')
const contentKey = Buffer.from('content":')
const emptyChoices = /"choices"\s*:\s*\[\s*\]/
const errorStart = Buffer.from('data: {"error"')
const quote = 0x22
const backslash = 0x5c
const brace = 0x7b
const lf = 10
const cr = 13

export class UsageScanner {
  readonly #cutsUsage: boolean
  /** The last frame with a usage object; parsed at the end, since some providers send a growing one with every frame. */
  #usageFrame: Buffer | undefined
  #usage: TokenCounts | undefined
  /** The removed frame ended with \r at the end of a piece: a \n at the start of the next one belongs to it. */
  #dropsLineFeed = false
  /** Bytes of text from the model so far, for an estimate where no usage comes. */
  textBytes = 0
  hasErrorFrame = false

  constructor(options: { cutsUsage: boolean }) {
    this.#cutsUsage = options.cutsUsage
  }

  /** What goes on to the caller; undefined if nothing is left. */
  scan(frames: Buffer): Buffer | undefined {
    this.textBytes += textIn(frames)
    if (startsWithError(frames)) this.hasErrorFrame = true
    let passed = this.#dropsLineFeed && frames[0] === lf ? frames.subarray(1) : frames
    this.#dropsLineFeed = false
    for (let at = frames.indexOf(usageKey); at !== -1; at = frames.indexOf(usageKey, at + usageKey.length)) {
      if (!isObjectAfter(frames, at + usageKey.length)) continue
      const frame = frameAround(frames, at)
      // A copy: the frame is a view of a far larger piece of memory.
      this.#usageFrame = Buffer.from(frame)
      if (!this.#cutsUsage || !emptyChoices.test(frame.toString('latin1'))) continue
      const chunk = parseFrame(frame)
      if (!isUsageAlone(chunk)) continue
      this.#usageFrame = undefined
      this.#usage = usageIn(chunk)
      passed = without(passed, frame)
      this.#dropsLineFeed = frame.at(-1) === cr && endsWithFrame(frames, frame)
    }
    return passed.length === 0 ? undefined : passed
  }

  usage(): TokenCounts | undefined {
    return this.#usageFrame ? usageIn(parseFrame(this.#usageFrame)) : this.#usage
  }
}

const endsWithFrame = (frames: Buffer, frame: Buffer): boolean =>
  frame.byteOffset + frame.length === frames.byteOffset + frames.length

/** The error in a first frame. Nothing has reached the caller yet, so it can still become a status. */
export const errorInFirstFrame = (frames: Buffer): Error | undefined =>
  startsWithError(frames) ? failureInBody(parseFrame(frameAround(frames, 0))) : undefined

const startsWithError = (frames: Buffer): boolean => {
  for (let at = 0; at < errorStart.length; at += 1) if (frames[at] !== errorStart[at]) return false
  return true
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
