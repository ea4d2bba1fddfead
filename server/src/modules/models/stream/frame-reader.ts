/**
 * The one pass over a provider's stream. Each frame is found once; what it may say to a caller (`clean-frames.ts`), the
 * usage it reports, the failure it tells and the model it names are read from that frame. A frame that differs from the
 * one before only in its text is recognised by its bytes, and passes without being parsed (`frame-shape.ts`).
 */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parsePiece } from '#kernel/json/parse-foreign.ts'
import { FrameCutter } from '#kernel/sse/frame-cutter.ts'
import type { Clean } from './clean-frames.ts'
import { cr, type Frame, frameAt, lf, readFrame } from './frame.ts'
import { type FrameShape, shapeOf, textEndIn } from './frame-shape.ts'
import { ModelRenamer } from './model-renamer.ts'
import { ReplyFacts } from './reply-facts.ts'

/** An image inside a frame is some megabytes; more than this is a fault. */
const maxFrameBytes = 16 * 1024 * 1024

interface Options {
  clean: Clean
  /** Names of frames are passed on. */
  keepsNames?: boolean
  /** Leaves out a frame that holds nothing but usage. */
  cutsUsage?: boolean
  /** The caller's name for the model; without it the provider's stays. */
  model?: string
}

export class FrameReader {
  readonly #options: Options
  readonly #cutter = new FrameCutter({ maxFrameBytes })
  readonly #renamer: ModelRenamer | undefined
  #shape: FrameShape | undefined
  /** The end of the frame that was read last. */
  #end = 0
  /** That frame ended with \r and was left out: a \n at the start of the next piece belongs to it. */
  #dropsLineFeed = false
  readonly facts = new ReplyFacts()
  /** Set by a frame that is no reply at all. What came before it was returned, and nothing after it is. */
  failure: AppError | undefined

  constructor(options: Options) {
    this.#options = options
    this.#renamer = options.model === undefined ? undefined : new ModelRenamer(options.model)
  }

  /**
   * The bytes for the caller from the frames that are complete by now: the same object where nothing changes, undefined
   * if nothing is left. Throws `SseFrameTooLarge`.
   */
  read(piece: Buffer): Buffer | undefined {
    const frames = this.#cutter.push(piece)
    return frames && this.readWhole(frames)
  }

  /** The bytes after the last whole frame. */
  rest(): Buffer | undefined {
    return this.#cutter.rest()
  }

  /** The same as `read` for bytes that hold whole frames. */
  readWhole(frames: Buffer): Buffer | undefined {
    const parts: Buffer[] = []
    let kept = this.#dropsLineFeed && frames[0] === lf ? 1 : 0
    let isChanged = kept > 0
    this.#dropsLineFeed = false
    for (let at = kept; at < frames.length && !this.failure; at = this.#end) {
      const passed = this.#next(frames, at)
      if (!passed) continue
      isChanged = true
      parts.push(frames.subarray(kept, at), ...passed)
      kept = this.#end
    }
    if (!isChanged) return frames
    const left = Buffer.concat([...parts, frames.subarray(kept)])
    return left.length === 0 ? undefined : left
  }

  /** Reads the frame at this offset. Returns what it becomes; undefined if it stays as it is. */
  #next(frames: Buffer, at: number): readonly Buffer[] | undefined {
    const shape = this.#shape
    const textEnd = shape ? textEndIn(frames, at, shape) : -1
    if (!shape || textEnd === -1) return this.#nextUnknown(frames, at)
    const { before, after, passed, otherTextBytes } = shape
    const textStart = at + before.length
    this.#end = textEnd + after.length
    this.#dropsLineFeed = false
    this.facts.textBytes += otherTextBytes + textEnd - textStart
    return passed && [passed.before, frames.subarray(textStart, textEnd), passed.after]
  }

  #nextUnknown(frames: Buffer, at: number): readonly Buffer[] | undefined {
    const found = frameAt(frames, at)
    const { bytes } = found
    const frame = readFrame(found)
    this.#end = at + bytes.length
    const passed = frame === 'blank' ? bytes : frame && this.#pass(frame)
    if (this.failure) this.#end = frames.length
    else if (passed) this.facts.hasBegun = true
    this.#dropsLineFeed = bytes.at(-1) === cr && passed?.at(-1) !== cr
    if (passed === bytes) return undefined
    return passed ? [passed] : []
  }

  /** The part of a frame with data that is passed on. */
  #pass(frame: Frame): Buffer | undefined {
    const { bytes, name, data, isPlain } = frame
    if (data === '[DONE]') {
      this.facts.ending = 'done'
      return isPlain ? bytes : Buffer.from('data: [DONE]\n\n')
    }
    const value = parsePiece(data)
    if (!isJsonObject(value)) {
      this.failure = new AppError('provider_failed', { detail: 'The model sent something that is not a reply.' })
      return undefined
    }
    const cleaned = this.#options.clean(value, name)
    if (!cleaned) return undefined
    const keepsName = this.#options.keepsNames === true && name !== null
    const isKept = cleaned === value && (isPlain || keepsName)
    const left = isKept ? bytes : frameOf(cleaned, keepsName ? name : null)
    this.facts.note(left, cleaned)
    this.#renamer?.learn(left, cleaned)
    return this.#isCut(cleaned) ? this.#cut() : this.#renamed(bytes, left)
  }

  #isCut({ usage, choices }: Record<string, unknown>): boolean {
    return this.#options.cutsUsage === true && isJsonObject(usage) && Array.isArray(choices) && choices.length === 0
  }

  #cut(): undefined {
    this.facts.hasBegun = true
    this.#shape = undefined
  }

  #renamed(bytes: Buffer, left: Buffer): Buffer {
    const rename = (part: Buffer): Buffer => this.#renamer?.rename(part) ?? part
    // A \n may still belong to such a frame; the next one is parsed again.
    this.#shape = bytes.at(-1) === cr ? undefined : shapeOf(bytes, left, rename)
    return rename(left)
  }
}

const frameOf = (value: object, name: string | null): Buffer =>
  Buffer.from(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`)
