/** The part of a reply that is stored with its message. */
import type { AppError } from '#kernel/errors.ts'
import type { ReplyPatch } from '#modules/chats/index.ts'
import { assistantTurn } from '../rounds/tool-calls.ts'
import type { LiveReply } from './live-reply.ts'

export interface ReplyEnd {
  failure?: AppError | undefined
  /** The text after outlet filters. */
  content?: string | undefined
}

export const errorOf = (failure: AppError): { content: string; code: string } => ({
  content: failure.message,
  code: failure.code,
})

export const replyPatch = (
  reply: Pick<LiveReply, 'log' | 'sources' | 'usage' | 'cancelReason' | 'isStarted' | 'toolCalls'>,
  { failure, content }: ReplyEnd = {},
): ReplyPatch => {
  // Refused before the model began: what the message says is not this reply's.
  if (!reply.isStarted) return failure ? { error: errorOf(failure) } : {}
  const { log, sources, usage, cancelReason, toolCalls } = reply
  return {
    content: content ?? log.content,
    ...(failure && { error: errorOf(failure) }),
    ...(usage && { usage }),
    ...(sources.length > 0 && { sources: [...sources] }),
    fields: {
      ...(log.reasoning && { reasoning_content: log.reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: assistantTurn('', toolCalls).tool_calls }),
      ...(cancelReason === 'stop' && { stopped: true }),
    },
  }
}
