/** The part of a reply that is stored with its message. */
import type { AppError } from '#kernel/errors.ts'
import type { ReplyPatch } from '#modules/chats/index.ts'
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
  { log, sources, usage, cancelReason }: Pick<LiveReply, 'log' | 'sources' | 'usage' | 'cancelReason'>,
  { failure, content }: ReplyEnd = {},
): ReplyPatch => ({
  content: content ?? log.content,
  ...(failure && { error: errorOf(failure) }),
  ...(usage && { usage }),
  ...(sources.length > 0 && { sources: [...sources] }),
  fields: {
    ...(log.reasoning && { reasoning_content: log.reasoning }),
    ...(cancelReason === 'stop' && { stopped: true }),
  },
})
