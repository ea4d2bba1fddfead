/** The plain text of messages. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'

export const textOf = ({ content }: Pick<ChatMessage, 'content'>): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [])).join('\n')
}

export const lastUserText = (messages: readonly ChatMessage[]): string => {
  const message = messages.findLast(({ role }) => role === 'user')
  return message ? textOf(message) : ''
}

export const firstUserText = (messages: readonly ChatMessage[]): string => {
  const message = messages.find(({ role }) => role === 'user')
  return message ? textOf(message) : ''
}
