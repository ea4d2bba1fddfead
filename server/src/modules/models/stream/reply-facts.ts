/** Facts about a reply, from its frames. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { readUsage, type TokenCounts } from './estimate.ts'
import { textBytesIn } from './frame-shape.ts'
import { failureInBody } from './provider-errors.ts'

export class ReplyFacts {
  /** The last usage that was told. */
  usage: TokenCounts | undefined
  /** Bytes of text from the model so far, for an estimate where no usage comes. */
  textBytes = 0
  /** True once anything came that may go to the caller. */
  hasBegun = false
  hasErrorFrame = false
  /** The error that the stream began with: as long as nothing has reached the caller, it can still become a status. */
  refusal: Error | undefined
  /** `finished`: it was told why the model stopped, or what it used. `done`: `[DONE]` was sent. */
  ending: 'open' | 'finished' | 'done' = 'open'

  /** A frame that may pass, and what was read in it. */
  note(frame: Buffer, value: Record<string, unknown>): void {
    const { error, usage, choices } = value
    if (error) {
      if (!this.hasBegun) this.refusal = failureInBody(value)
      this.hasErrorFrame = true
    }
    this.textBytes += textBytesIn(frame)
    this.usage = readUsage(usage) ?? this.usage
    const hasFinished = isJsonObject(usage) || (Array.isArray(choices) && choices.some(isFinished))
    if (hasFinished && this.ending === 'open') this.ending = 'finished'
  }
}

const isFinished = (choice: unknown): boolean => isJsonObject(choice) && typeof choice.finish_reason === 'string'
