/** Puts the caller's name for the model where a provider's frames have its own. Others pass untouched. */
import { replaceBytes } from '#kernel/bytes/replace-bytes.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { frameAround, parseFrame } from './event-frames.ts'

const modelKey = Buffer.from('"model"')

type Renaming = 'same' | { pattern: Buffer; replacement: Buffer }

/** Does nothing at all if the provider uses the same name. */
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
