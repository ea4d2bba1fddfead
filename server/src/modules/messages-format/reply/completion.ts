/** Reads chat completions and their chunks. Providers differ, so nothing about their shape is assumed. */

export interface Choice {
  index?: number
  message?: Delta
  delta?: Delta
  finish_reason?: string | null
  /** The stop sequence that ended the text; some servers send it with `finish_reason: stop`. */
  stop_reason?: unknown
  matched_stop?: unknown
}

export interface Delta {
  content?: unknown
  refusal?: unknown
  reasoning_content?: unknown
  reasoning?: unknown
  thinking_blocks?: unknown
  tool_calls?: unknown
}

export interface ToolCall {
  index?: number
  id?: string | null
  function?: { name?: string | null; arguments?: unknown }
}

export const choiceOf = (completion: Record<string, unknown>): Choice | undefined => {
  const { choices } = completion
  if (!Array.isArray(choices)) return undefined
  return (choices as Choice[]).find((choice) => (choice?.index ?? 0) === 0)
}

/** A refusal is text too. */
export const textOf = ({ content, refusal }: Delta): string => {
  if (typeof content === 'string' && content !== '') return content
  if (Array.isArray(content))
    return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('')
  return typeof refusal === 'string' ? refusal : ''
}

export const reasoningOf = ({ reasoning_content: content, reasoning }: Delta): string => {
  if (typeof content === 'string') return content
  return typeof reasoning === 'string' ? reasoning : ''
}

export const toolCallsOf = ({ tool_calls: calls }: Delta): ToolCall[] =>
  Array.isArray(calls) ? calls.filter((call) => typeof call === 'object' && call !== null) : []

/** Arguments as text. Some runtimes send an object. */
export const argumentsOf = ({ function: called }: ToolCall): string => {
  const written = called?.arguments
  if (typeof written === 'object' && written !== null) return JSON.stringify(written)
  return typeof written === 'string' ? written : ''
}

export type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }

/** Thinking with its signature, from backends that send it this way. */
export const thoughtsOf = ({ thinking_blocks: blocks }: Delta): Thought[] => {
  if (!Array.isArray(blocks)) return []
  return blocks.flatMap((block: Record<string, unknown> | null): Thought[] => {
    if (block?.type === 'redacted_thinking' && typeof block.data === 'string')
      return [{ type: 'redacted_thinking', data: block.data }]
    if (block?.type !== 'thinking') return []
    const { thinking, signature } = block
    return [
      {
        type: 'thinking',
        thinking: typeof thinking === 'string' ? thinking : '',
        signature: typeof signature === 'string' ? signature : '',
      },
    ]
  })
}
