/** The active branch of a chat as a document: Markdown, or plain text with the Markdown as the models wrote it. */
import type { Chat, Message } from '@chancery/contract/chats/chats.ts'

export type TextFormat = 'md' | 'txt'

const authorOf = ({ role, modelName, model }: Message): string => {
  if (role === 'user') return 'You'
  return String(modelName ?? model ?? 'Assistant')
}

const dateOf = (sec: number): string => new Date(sec * 1000).toISOString().slice(0, 16).replace('T', ' ')

export function chatAsText({ title, chat, created_at }: Chat, format: TextFormat): string {
  const messages = chat.messages.filter(({ content }) => content !== '')
  const head = format === 'md' ? `# ${title}` : title
  const parts = messages.map((message) => {
    const author = authorOf(message)
    return `${format === 'md' ? `## ${author}` : `${author}:`}\n\n${message.content.trim()}`
  })
  return `${[head, `${dateOf(created_at)} UTC`, ...parts].join('\n\n')}\n`
}
