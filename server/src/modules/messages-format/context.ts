import type { Ids } from '#kernel/ids.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Models } from '#modules/models/index.ts'

export interface MessagesFormatContext {
  ids: Ids
  completions: Pick<Completions, 'complete'>
  models: Pick<Models, 'resolve'>
  /** A stream sends its head after waiting this long for the model. */
  silenceMs: number
}
