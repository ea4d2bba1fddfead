/**
 * A running reply, built from its frames. Over the socket each frame has the next number; the resume stream merges
 * missed frames, so there only the order counts. Frames already seen are skipped.
 */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'

export interface Reply {
  /** The number of the last applied frame. */
  seq: number
  content: string
  reasoning: string
  sources: readonly unknown[]
  error: { content: string; code?: string | undefined } | undefined
  usage: Record<string, unknown> | undefined
  isDone: boolean
}

export const blankReply: Reply = {
  seq: 0,
  content: '',
  reasoning: '',
  sources: [],
  error: undefined,
  usage: undefined,
  isDone: false,
}

export type Outcome = 'new' | 'old' | 'gap'

export function checkFrame(reply: Reply, { seq }: ReplyFrame): Outcome {
  if (reply.isDone || seq <= reply.seq) return 'old'
  return seq === reply.seq + 1 ? 'new' : 'gap'
}

export function withFrame(reply: Reply, frame: ReplyFrame): Reply {
  const end = {
    seq: frame.seq,
    error: frame.error ?? reply.error,
    usage: frame.usage ?? reply.usage,
    isDone: frame.done === true,
  }
  // A full text replaces everything before it.
  if (frame.content !== undefined) {
    return { ...end, content: frame.content, reasoning: frame.reasoning_content ?? '', sources: frame.sources ?? [] }
  }
  const deltas = (frame.choices ?? []).filter(({ index = 0 }) => index === 0).map(({ delta }) => delta)
  return {
    ...end,
    content: reply.content + deltas.map((delta) => delta?.content ?? '').join(''),
    reasoning: reply.reasoning + deltas.map((delta) => delta?.reasoning_content ?? '').join(''),
    sources: frame.sources ? [...reply.sources, ...frame.sources] : reply.sources,
  }
}
