/**
 * Estimates how many tokens a request has. Tokenizers differ from model to model and most backends offer none. The
 * estimate is rather too high than too low: one token per four characters of alphabets and code, one per character of
 * scripts without spaces, 1,600 for an image (the maximum there), 4 around each message and 12 around each tool.
 */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import type { CountTokensBody } from '@chancery/contract/chats/messages-format.ts'
import { chatMessages } from './request/to-completion.ts'
import { toolFields } from './request/tool-fields.ts'

const perMessage = 4
const perTool = 12
const perImage = 1600
/** A page of a document as text and as an image, at about 60 kB a page. */
const perDocumentByte = 1 / 20

export const countTokens = (body: CountTokensBody): number => {
  const messages = chatMessages(body).reduce((sum, message) => sum + perMessage + messageTokens(message), 0)
  const { tools } = toolFields(body)
  const toolTokens = Array.isArray(tools)
    ? tools.reduce((sum: number, tool) => sum + perTool + textTokens(JSON.stringify(tool)), 0)
    : 0
  return Math.ceil(messages + toolTokens)
}

const messageTokens = ({ content, reasoning_content: reasoning, tool_calls: calls }: ChatMessage): number => {
  const parts = typeof content === 'string' ? textTokens(content) : (content ?? []).reduce(addPart, 0)
  const thinking = typeof reasoning === 'string' ? textTokens(reasoning) : 0
  return parts + thinking + (calls === undefined ? 0 : textTokens(JSON.stringify(calls)))
}

const addPart = (sum: number, part: Record<string, unknown>): number => {
  if (part.type === 'text') return sum + textTokens(String(part.text))
  if (part.type === 'image_url') return sum + perImage
  return sum + JSON.stringify(part).length * perDocumentByte
}

/** From this code point on come scripts without spaces, and emoji. */
const firstWideCharacter = 0x2e80

const textTokens = (text: string): number => {
  let wide = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= firstWideCharacter) wide += 1
  return wide + (text.length - wide) / 4
}
