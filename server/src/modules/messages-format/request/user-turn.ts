/**
 * A user's turn as chat messages. Tool results come first, each as its own message, directly after the calls they answer.
 * Tool messages can only have text, so images of a result follow in the user's message, labelled with their call.
 */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import type { ToolResultBlock, UserBlock } from '@chancery/contract/chats/messages-format.ts'
import { type ContentBlock, contentOf, type Part, partsOf, textPart } from './parts.ts'

export const userTurn = (content: string | readonly UserBlock[]): ChatMessage[] => {
  if (typeof content === 'string') return [{ role: 'user', content }]
  const results = content.filter((block) => block.type === 'tool_result').map(readResult)
  const own = content.filter((block): block is ContentBlock => block.type !== 'tool_result').flatMap(partsOf)
  const parts = [...results.flatMap(({ rest }) => rest), ...own]
  const ownTurn: ChatMessage[] =
    parts.length > 0 || results.length === 0 ? [{ role: 'user', content: contentOf(parts) }] : []
  return [...results.map(({ message }) => message), ...ownTurn]
}

const readResult = (block: ToolResultBlock): { message: ChatMessage; rest: Part[] } => {
  const parts = typeof block.content === 'string' ? [textPart(block.content)] : (block.content ?? []).flatMap(partsOf)
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const others = parts.filter((part) => part.type !== 'text')
  return {
    message: {
      role: 'tool',
      tool_call_id: block.tool_use_id,
      content: block.is_error ? `Error: ${text}` : text,
    },
    rest: others.length > 0 ? [textPart(`From the result of ${block.tool_use_id}:`), ...others] : [],
  }
}
