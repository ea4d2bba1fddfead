/** What of a reply is stored with its message. */
import type { AppError } from '#kernel/errors.ts'
import type { ReplyPatch } from '#modules/chats/index.ts'
import type { LiveReply } from './live-reply.ts'

export interface ReplyEnd {
  failure?: AppError | undefined
  /** What outlet filters made of the text. */
  content?: string | undefined
}

export const errorOf = (failure: AppError): { content: string; code: string } => ({
  content: failure.message,
  code: failure.code,
})

export const replyPatch = (
  { log, sources, usage, halted }: Pick<LiveReply, 'log' | 'sources' | 'usage' | 'halted'>,
  { failure, content }: ReplyEnd = {},
): ReplyPatch => ({
  content: content ?? log.content,
  ...(failure && { error: errorOf(failure) }),
  ...(usage && { usage }),
  ...(sources.length > 0 && { sources: [...sources] }),
  fields: {
    ...(log.reasoning && { reasoning_content: log.reasoning }),
    ...(halted === 'stop' && { stopped: true }),
  },
})
