/** Puts the caller's name for the model where a provider's frames have its own. Others pass untouched. */
import { replaceBytes } from '#kernel/bytes/replace-bytes.ts'

const modelKey = Buffer.from('"model"')

/** Does nothing at all if the provider uses the same name. */
export class ModelRenamer {
  readonly #ours: string
  /** As the first frame that names a model spells it; undefined before that. */
  #theirs: 'same' | { pattern: Buffer; replacement: Buffer } | undefined

  constructor(ours: string) {
    this.#ours = ours
  }

  /** From a frame and what was read in it. */
  learn(frame: Buffer, { model }: Record<string, unknown>): void {
    if (this.#theirs || typeof model !== 'string') return
    const spaces = frame[frame.indexOf(modelKey) + modelKey.length + 1] === 0x20 ? ' ' : ''
    const member = (name: string) => Buffer.from(`"model":${spaces}${JSON.stringify(name)}`)
    this.#theirs = model === this.#ours ? 'same' : { pattern: member(model), replacement: member(this.#ours) }
  }

  /** A frame, or a part of one that holds whole members. The same object where nothing changes. */
  rename(bytes: Buffer): Buffer {
    if (!this.#theirs || this.#theirs === 'same') return bytes
    return replaceBytes(bytes, this.#theirs.pattern, this.#theirs.replacement)
  }
}
