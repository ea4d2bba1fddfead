/** A model's reply as it is written. */
import { complete } from '@chancery/contract/endpoints/completions.ts'
import type { BodyOf } from '@chancery/contract/reading/address.ts'
import { ApiError } from './api-error.ts'
import type { Client } from './client.ts'

/** A frame of the chat-completion API; providers add fields of their own. */
export interface CompletionFrame {
  choices?: { delta?: { content?: string | null; reasoning_content?: string | null }; finish_reason?: string | null }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number } | null
  error?: { message: string; code?: string | null }
}

type Asked = BodyOf<typeof complete>

/** Throws an `ApiError` where the server refuses, and where the reply fails after it began (`stream_failed`). */
export async function* streamCompletion(
  client: Client,
  body: Asked,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<CompletionFrame> {
  const request = { body: { ...body, stream: true }, ...(signal && { signal }) }
  for await (const { data } of client.stream(complete, request)) {
    if (data === '[DONE]') return
    const frame = readFrame(data)
    if (frame.error)
      throw new ApiError({ status: 200, code: frame.error.code ?? 'stream_failed', sentence: frame.error.message })
    yield frame
  }
  throw failed('The reply broke off before its end.')
}

const failed = (sentence: string, cause?: unknown): ApiError =>
  new ApiError({ status: 200, code: 'stream_failed', sentence, cause })

const readFrame = (data: string): CompletionFrame => {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw failed('The reply has a part that is no JSON.', cause)
  }
}
