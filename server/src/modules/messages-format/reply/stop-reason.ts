/** Why a reply ended. */
import type { Choice } from './completion.ts'

export interface Stop {
  stop_reason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal'
  stop_sequence: string | null
}

interface Ending {
  finish: Pick<Choice, 'finish_reason' | 'stop_reason' | 'matched_stop'>
  stopSequences: readonly string[]
  /** The end of the text, at least as long as the longest sequence. */
  textEnd: string
  hasToolCalls: boolean
}

export const stopOf = ({ finish, stopSequences, textEnd, hasToolCalls }: Ending): Stop => {
  const { finish_reason: reason } = finish
  if (reason === 'length') return { stop_reason: 'max_tokens', stop_sequence: null }
  if (reason === 'content_filter') return { stop_reason: 'refusal', stop_sequence: null }
  // Some servers say `stop` though they called a tool.
  if (hasToolCalls) return { stop_reason: 'tool_use', stop_sequence: null }
  const sequence = matchedSequence({ finish, stopSequences, textEnd })
  return sequence === undefined
    ? { stop_reason: 'end_turn', stop_sequence: null }
    : { stop_reason: 'stop_sequence', stop_sequence: sequence }
}

/** Known if the server sends it, or leaves the sequence at the end of the text. */
const matchedSequence = ({ finish, stopSequences, textEnd }: Omit<Ending, 'hasToolCalls'>): string | undefined =>
  stopSequences.find((one) => one === finish.stop_reason || one === finish.matched_stop) ??
  stopSequences.find((one) => one !== '' && textEnd.endsWith(one))
