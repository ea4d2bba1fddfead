/**
 * The two things in a provider's frames that must not reach a caller as they are: `event` objects, which clients of this
 * kind of gateway take for events of the server and may even execute, and the provider's own name for the model. Frames
 * with neither pass untouched.
 */
import { replaceBytes } from '#kernel/bytes/replace-bytes.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { frameAround, parseFrame, without } from './event-frames.ts'

const eventKey = Buffer.from('"event"')

/** The frames without those that hold an `event` object; undefined if none is left. */
export const dropEventFrames = (frames: Buffer): Buffer | undefined => {
  let passed = frames
  for (let at = frames.indexOf(eventKey); at !== -1; at = frames.indexOf(eventKey, at + eventKey.length)) {
    const frame = frameAround(frames, at)
    if (holdsEvent(parseFrame(frame))) passed = without(passed, frame)
  }
  return passed.length === 0 ? undefined : passed
}

/** The same for a reply that is not streamed. */
export const withoutEvent = (completion: Record<string, unknown>): Record<string, unknown> => {
  if (!holdsEvent(completion)) return completion
  const { event: _event, ...rest } = completion
  return rest
}

const holdsEvent = (chunk: unknown): boolean =>
  isJsonObject(chunk) && typeof chunk.event === 'object' && chunk.event !== null

const modelKey = Buffer.from('"model"')

type Renaming = 'same' | { pattern: Buffer; replacement: Buffer }

/** Puts the caller's name for the model into frames. Does nothing at all if the provider uses the same name. */
export class ModelRenamer {
  readonly #ours: string
  /** As a frame names it that needs no renaming. */
  readonly #member: string
  /** As the first frame that names a model spells it; undefined before that. */
  #theirs: Renaming | undefined

  constructor(ours: string) {
    this.#ours = ours
    this.#member = `"model":${JSON.stringify(ours)}`
  }

  rename(frames: Buffer): Buffer {
    if (this.#theirs === 'same') return frames
    const at = frames.indexOf(modelKey)
    if (at === -1) return frames
    this.#theirs ??= this.#isPlainlyOurs(frames, at) ? 'same' : this.#learn(frames, at)
    if (!this.#theirs || this.#theirs === 'same') return frames
    return replaceBytes(frames, this.#theirs.pattern, this.#theirs.replacement)
  }

  /** Seen without parsing the frame, where it names a model only once. */
  #isPlainlyOurs(frames: Buffer, at: number): boolean {
    if (frames.toString('latin1', at, at + this.#member.length) !== this.#member) return false
    const next = frames.indexOf(modelKey, at + modelKey.length)
    return next === -1 || frames.subarray(at, next).includes('\n\n')
  }

  #learn(frames: Buffer, at: number): Renaming | undefined {
    const chunk = parseFrame(frameAround(frames, at))
    const model = isJsonObject(chunk) ? chunk.model : undefined
    if (typeof model !== 'string') return undefined
    if (model === this.#ours) return 'same'
    const spaces = frames[at + modelKey.length + 1] === 0x20 ? ' ' : ''
    const member = (name: string) => Buffer.from(`"model":${spaces}${JSON.stringify(name)}`)
    return { pattern: member(model), replacement: member(this.#ours) }
  }
}
