/** Puts text in front of a conversation. There is one system message at most: many models take no second one. */
import type { ChatMessage } from '@chancery/contract/completions.ts'

export const withSystemPrompt = (messages: ChatMessage[], prompt: string): ChatMessage[] => {
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: prompt }, ...messages]
  const { content } = first
  if (Array.isArray(content)) return [{ ...first, content: [{ type: 'text', text: prompt }, ...content] }, ...rest]
  return [{ ...first, content: content ? `${prompt}\n\n${content}` : prompt }, ...rest]
}
