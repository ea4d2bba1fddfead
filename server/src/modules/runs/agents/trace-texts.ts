/** The request in the record of a model call. Pure. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'

export const maxEntries = 100

const promptMark = "[the model's own system prompt]"

/** The pipeline puts the prompt before the agent's own. */
export const withPromptMark = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: promptMark }, ...messages]
  return [{ ...first, content: `${promptMark}\n\n${textOf(first)}` }, ...rest]
}

export const sourceNames = (sources: unknown): string[] => {
  const found = (Array.isArray(sources) ? sources : []) as { source?: { name?: unknown } }[]
  const names = found.flatMap((one) => (typeof one?.source?.name === 'string' ? [one.source.name] : []))
  return [...new Set(names)].slice(0, maxEntries)
}

export const textOf = ({ content, tool_calls }: ChatMessage): string => {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }]
  const texts = parts.map((part) => (part.type === 'text' ? String(part.text) : `[${part.type}]`))
  return [...texts, ...(tool_calls ? [JSON.stringify(tool_calls)] : [])].filter((text) => text !== '').join('\n')
}

export const toolNames = (tools: unknown): string[] =>
  (Array.isArray(tools) ? (tools as { function?: { name?: unknown } }[]) : []).map((tool) =>
    String(tool?.function?.name ?? '?'),
  )
