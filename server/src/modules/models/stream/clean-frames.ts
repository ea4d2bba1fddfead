/**
 * What of a provider's frames may reach a caller: chunks, with the fields that the API has and no others, failures, and
 * the end. Clients of this kind of gateway take an `event` object for an event of the server, which may even be executed,
 * and other fields for sources or titles that the server found; so none of them passes, whatever the door. Frames that are
 * clean pass as the bytes that came.
 */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parseFrames } from '#kernel/sse/sse-parser.ts'
import { type FrameShape, shapeOf, textEndIn } from './frame-shape.ts'

const fields = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
])

/** What a frame's value becomes; undefined drops it, the value itself leaves the frame as it is. */
export type Clean = (value: Record<string, unknown>, name: string | null) => Record<string, unknown> | undefined

/** Of the chat-completion API, and of completions of a text. */
export const cleanChunk: Clean = (value) => {
  if (holdsEvent(value)) return undefined
  if (value.error) return Object.keys(value).length === 1 ? value : { error: value.error }
  if (!Array.isArray(value.choices) && !isJsonObject(value.usage)) return undefined
  return Object.keys(value).every((name) => fields.has(name) || isNoError(value, name)) ? value : knownFields(value)
}

/** The same for a reply that is not streamed. Its object is new. */
export const knownFields = (completion: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(completion).filter(([name]) => fields.has(name)))

const isNoError = (value: Record<string, unknown>, name: string): boolean => name === 'error' && value.error === null

/** Of APIs whose events have a type, such as responses: a frame may be named after it, and not otherwise. */
export const cleanTyped: Clean = (value, name) => {
  const { type } = value
  if (holdsEvent(value)) return undefined
  if (value.error && type === undefined) return { error: value.error }
  return typeof type === 'string' && (name === null || name === type) ? value : undefined
}

/** Of a whole reply of such an API. The value itself if there is none. */
export const withoutEvent = (value: Record<string, unknown>): Record<string, unknown> => {
  if (!holdsEvent(value)) return value
  const { event: _event, ...rest } = value
  return rest
}

const holdsEvent = ({ event }: Record<string, unknown>): boolean => typeof event === 'object' && event !== null

const lf = 10
const cr = 13

/** One for each stream. Takes bytes that hold whole frames. */
export class FrameCleaner {
  readonly #clean: Clean
  readonly #keepsNames: boolean
  #shape: FrameShape | undefined
  /** Set by a frame that is no reply at all. What came before it was returned, and nothing after it is. */
  failure: AppError | undefined

  constructor(clean: Clean, options: { keepsNames: boolean } = { keepsNames: false }) {
    this.#clean = clean
    this.#keepsNames = options.keepsNames
  }

  /** The same object where nothing changes, undefined if nothing is left. */
  clean(frames: Buffer): Buffer | undefined {
    const parts: Buffer[] = []
    let kept = 0
    let at = 0
    while (at < frames.length && !this.failure) {
      const { end, passed } = this.#next(frames, at)
      if (passed) {
        parts.push(frames.subarray(kept, at), ...passed)
        kept = end
      }
      at = end
    }
    if (parts.length === 0) return frames
    const left = Buffer.concat([...parts, frames.subarray(kept)])
    return left.length === 0 ? undefined : left
  }

  /** The next frame; `passed` is what it becomes, where it changes. */
  #next(frames: Buffer, at: number): { end: number; passed?: readonly Buffer[] } {
    const shape = this.#shape
    const textEnd = shape ? textEndIn(frames, at, shape) : -1
    if (shape && textEnd !== -1) {
      const { before, after, passed } = shape
      const end = textEnd + after.length
      return passed
        ? { end, passed: [passed.before, frames.subarray(at + before.length, textEnd), passed.after] }
        : { end }
    }
    const end = endOfFrame(frames, at)
    const frame = frames.subarray(at, end)
    try {
      const passed = this.#read(frame)
      return passed === frame ? { end } : { end, passed: passed ? [passed] : [] }
    } catch (problem) {
      if (!(problem instanceof AppError)) throw problem
      this.failure = problem
      return { end: frames.length, passed: [] }
    }
  }

  #read(frame: Buffer): Buffer | undefined {
    const [read] = parseFrames(frame)
    if (!read) return isCommentOrBlank(frame) ? frame : undefined
    if (read.data.trim() === '') return undefined
    const isPlain = read.event === null && isOneLine(frame)
    if (read.data === '[DONE]') return isPlain ? frame : Buffer.from('data: [DONE]\n\n')
    const value = parsed(read.data)
    const cleaned = this.#clean(value, read.event)
    if (!cleaned) return undefined
    const keepsName = this.#keepsNames && read.event !== null
    const passed = cleaned === value && (isPlain || keepsName) ? frame : frameOf(cleaned, keepsName ? read.event : null)
    this.#shape = shapeOf(frame, passed === frame ? undefined : passed)
    return passed
  }
}

const frameOf = (value: object, name: string | null): Buffer =>
  Buffer.from(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`)

const parsed = (data: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    // Not a reply either.
  }
  if (isJsonObject(value)) return value
  throw new AppError('provider_failed', { detail: 'The model sent something that is not a reply.' })
}

/** One past the blank line that ends the frame, or the line ends before a frame. */
const endOfFrame = (bytes: Buffer, from: number): number => {
  let at = from
  while (bytes[at] === lf || bytes[at] === cr) at += 1
  if (at > from) return at
  for (; at < bytes.length; at += 1) {
    if (bytes[at] !== lf && bytes[at] !== cr) continue
    const next = lineEndAt(bytes, at)
    if (bytes[next] === lf || bytes[next] === cr) return lineEndAt(bytes, next)
    at = next - 1
  }
  return bytes.length
}

/** One past the line end at this offset: \n, \r\n or \r. */
const lineEndAt = (bytes: Buffer, at: number): number => (bytes[at] === cr && bytes[at + 1] === lf ? at + 2 : at + 1)

const isOneLine = (frame: Buffer): boolean => /^data:[^\r\n]*[\r\n]+$/.test(frame.toString('latin1'))
const isCommentOrBlank = (frame: Buffer): boolean => /^(:[^\r\n]*|[\r\n])*$/.test(frame.toString('latin1'))
