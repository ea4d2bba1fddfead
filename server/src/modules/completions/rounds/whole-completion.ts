/** Joins the pieces of a stream to the completion object that a caller who did not ask for a stream gets. */
import { type Chunk, headOf } from './chunk.ts'
import type { UsageCounts } from './sum-usage.ts'

interface Spoken {
  id: string
  model: string
  createdSec: number
  content: string
  reasoning: string
  usage: UsageCounts | undefined
}

export const wholeCompletion = ({ id, model, createdSec, content, reasoning, usage }: Spoken): Chunk => ({
  ...headOf({ id: `chatcmpl-${id}`, created: createdSec, model }),
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content, ...(reasoning && { reasoning_content: reasoning }) },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  ...(usage && { usage }),
})
