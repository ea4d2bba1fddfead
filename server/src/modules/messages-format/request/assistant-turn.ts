/**
 * A model's earlier turn as one chat message. Several text blocks are joined: a chat message can't express that a tool
 * call was between them. Signed thinking is sent in `thinking_blocks`, for backends that need it back.
 */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import type { AssistantBlock } from '@chancery/contract/chats/messages-format.ts'

export const assistantTurn = (content: string | readonly AssistantBlock[]): ChatMessage => {
  if (typeof content === 'string') return { role: 'assistant', content }
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  const toolCalls = content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
      : [],
  )
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...thinkingOf(content),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  }
}

const thinkingOf = (content: readonly AssistantBlock[]): Record<string, unknown> => {
  const blocks = content.filter((block) => block.type === 'thinking' || block.type === 'redacted_thinking')
  if (blocks.length === 0) return {}
  const reasoning = blocks.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('')
  const isSigned = blocks.some((block) => block.type === 'redacted_thinking' || Boolean(block.signature))
  return {
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(isSigned ? { thinking_blocks: blocks } : {}),
  }
}
