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

/** The estimate of a reply where the caller sets no maximum. */
const usualReplyTokens = 1000

/** The tokens that a reply may use, by the fields that limit it. */
export const replyTokensOf = (body: Record<string, unknown>): number =>
  count(body.max_completion_tokens) ?? count(body.max_tokens) ?? usualReplyTokens

/** The expected usage of a call, prompt and reply. */
export const callTokensOf = (body: Record<string, unknown> & { messages: readonly ChatMessage[] }): number =>
  promptTokensOf(body.messages) + replyTokensOf(body)

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
