/** What the module works with. */
import type { Ids } from '#kernel/ids.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Models } from '#modules/models/index.ts'

export interface MessagesFormatContext {
  ids: Ids
  completions: Pick<Completions, 'complete'>
  models: Pick<Models, 'resolve'>
  /** How long a stream waits for the model before its head is sent. */
  silenceMs: number
}
