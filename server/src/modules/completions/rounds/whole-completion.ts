/** A completion object made of a reply's text, for a caller that didn't ask for a stream. */
import { type Chunk, headOf } from './chunk.ts'
import type { UsageCounts } from './sum-usage.ts'

interface ReplyParts {
  id: string
  model: string
  createdSec: number
  content: string
  reasoning: string
  usage: UsageCounts | undefined
}

export const wholeCompletion = ({ id, model, createdSec, content, reasoning, usage }: ReplyParts): Chunk => ({
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
