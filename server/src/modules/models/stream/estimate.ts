/** Counts tokens: as the provider reports them, else a quarter of the characters, as is usual. Pure. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'

const charactersPerToken = 4

export const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken)

/** Text only: only the provider knows what an image or a file costs. */
export const promptTokensOf = (messages: readonly ChatMessage[]): number => {
  let characters = 0
  for (const { content } of messages) {
    if (typeof content === 'string') characters += content.length
    else if (Array.isArray(content))
      for (const part of content) if (typeof part.text === 'string') characters += part.text.length
  }
  return tokensOf(characters)
}

/** The order of magnitude: only the provider knows what an image or a file costs. */
const attachmentTokens = 1000
const said = ['messages', 'prompt', 'input', 'system', 'instructions', 'suffix', 'context', 'documents']
const described = ['tools', 'functions', 'response_format', 'format', 'text', 'template']
const attached = new Set(['images', 'image', 'image_url', 'input_audio', 'data', 'file_data', 'b64_json', 'file'])
const names = new Set(['role', 'type', 'id', 'tool_call_id', 'cache_control'])

/** Everything in a request that a model has to read, in whichever field. What is attached counts at a flat rate. */
export const requestTokensOf = (body: Record<string, unknown>): number => {
  let characters = 0
  let attachments = 0
  const waiting: unknown[] = said.map((name) => body[name])
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') characters += value.length
    // Text as the numbers of its tokens.
    else if (typeof value === 'number') characters += charactersPerToken
    else if (Array.isArray(value)) for (const one of value) waiting.push(one)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inside] of Object.entries(value))
        if (attached.has(name)) attachments += Array.isArray(inside) ? inside.length : 1
        else if (!names.has(name)) waiting.push(inside)
  }
  for (const name of described) if (body[name] != null) characters += JSON.stringify(body[name]).length
  return tokensOf(characters) + attachments * attachmentTokens
}

export interface TokenCounts {
  promptTokens: number
  completionTokens: number
}

/** Both APIs' names for the same two counts. */
export const readUsage = (usage: unknown): TokenCounts | undefined => {
  if (typeof usage !== 'object' || usage === null) return undefined
  const { prompt_tokens, input_tokens, completion_tokens, output_tokens } = usage as Record<string, unknown>
  const promptTokens = count(prompt_tokens) ?? count(input_tokens)
  const completionTokens = count(completion_tokens) ?? count(output_tokens)
  if (promptTokens === undefined && completionTokens === undefined) return undefined
  return { promptTokens: promptTokens ?? 0, completionTokens: completionTokens ?? 0 }
}

const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
