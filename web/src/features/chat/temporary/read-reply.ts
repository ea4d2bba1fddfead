/** Streams a reply that isn't stored: the server gets the conversation with each request, and no chat. */

import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { readEvents } from '@chancery/contract/reading/event-reader.ts'
import { z } from 'zod'
import { ApiError } from '#lib/problems/api-error.ts'
import { streamReply } from '../api.ts'
import { blankReply, type Reply, withFrame } from '../history/reply.ts'

const ErrorFrame = z.object({ error: z.object({ message: z.string(), code: z.string().nullish() }) })

interface ReplyRequest {
  model: string
  messages: ChatMessage[]
  params: Record<string, unknown>
  signal: AbortSignal
  onReply: (reply: Reply) => void
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    // `[DONE]`
    return undefined
  }
}

function withData(reply: Reply, data: unknown): Reply {
  const failed = ErrorFrame.safeParse(data).data?.error
  if (failed) return { ...reply, error: { content: failed.message, code: failed.code ?? undefined } }
  if (typeof data !== 'object' || data === null) return reply
  const frame = ReplyFrame.safeParse({ ...data, seq: reply.seq + 1 })
  return frame.success ? withFrame(reply, frame.data) : reply
}

const failureOf = (problem: unknown): NonNullable<Reply['error']> =>
  problem instanceof ApiError
    ? { content: problem.message, code: problem.code }
    : { content: 'The connection was lost before the reply was complete.' }

/** Never rejects: what went wrong is in the reply, with what had arrived. An abort is no error. */
export async function readReply({ model, messages, params, signal, onReply }: ReplyRequest): Promise<Reply> {
  let reply = blankReply
  try {
    const body = await streamReply({ model, messages, params }, signal)
    if (!body) return reply
    for await (const { data } of readEvents(body)) {
      reply = withData(reply, parse(data))
      onReply(reply)
    }
  } catch (problem) {
    if (!signal.aborted) reply = { ...reply, error: failureOf(problem) }
  }
  return reply
}
