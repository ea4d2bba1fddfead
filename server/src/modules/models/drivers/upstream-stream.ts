/** Pure. NDJSON of a native `/api/chat`, cut anywhere, as server-sent events of the chat-completion API. */
import { parsePiece } from '#kernel/json/parse-foreign.ts'
import { type ChunkHead, chunkOf, doneFrame, frameOf, usageChunkOf } from '../stream/completion-format.ts'
import { createLines } from './upstream-lines.ts'
import { finishReason, madeAt, type NativeLine, partsOf, problemIn, tokenUsage, toToolCall } from './upstream-reply.ts'

export interface NativeStream {
  /** The events that these bytes complete; often none. */
  push(piece: Uint8Array): string
  /** The last events once the runtime has ended its reply. */
  end(): string
}

/** No model writes such a line; a longer one is an attack on our memory. */
const longestLine = 32 * 1024 * 1024

export const createNativeStream = (reply: { id: string; model: string }): NativeStream => {
  const lines = createLines(longestLine)
  const deltas = createDeltas(reply.id)
  const head: ChunkHead = { ...reply, created: 0 }
  let isOver = false

  const fail = (message: string): string => {
    isOver = true
    return frameOf({ error: { message, type: 'provider_error', code: 'provider_failed', param: null } })
  }
  const finish = (line: NativeLine): string => {
    isOver = true
    const end = chunkOf(head, {}, finishReason(line, deltas.toolCalls > 0))
    return frameOf(end) + frameOf(usageChunkOf(head, tokenUsage(line))) + doneFrame
  }
  const read = (text: string): string => {
    if (isOver || text.trim() === '') return ''
    const line = parseLine(text)
    if (line === undefined) return fail('The runtime sent a line that is no JSON.')
    const problem = problemIn(line)
    if (problem !== undefined) return fail(problem)
    head.created ||= madeAt(line)
    const delta = deltas.next(line)
    return (delta ? frameOf(withLogprobs(chunkOf(head, delta), line)) : '') + (line.done === true ? finish(line) : '')
  }

  return {
    push(piece) {
      if (isOver) return ''
      const whole = lines.push(piece)
      return whole === undefined ? fail('The runtime sent a line that is too long.') : whole.map(read).join('')
    },
    end() {
      const events = isOver ? '' : read(lines.rest())
      return isOver ? events : events + fail('The runtime ended its reply too early.')
    },
  }
}

/** The first names the role; tool calls are numbered over the whole reply. */
const createDeltas = (replyId: string) => {
  let toolCalls = 0
  let hasBegun = false
  return {
    get toolCalls() {
      return toolCalls
    },
    next(line: NativeLine): Record<string, unknown> | undefined {
      const { content, thinking, calls } = partsOf(line)
      if (content === '' && thinking === '' && calls.length === 0) return undefined
      const role = hasBegun ? {} : { role: 'assistant' }
      hasBegun = true
      const numbered = calls.map((call) => {
        const index = toolCalls++
        return { index, ...toToolCall(call, `${replyId}-${index}`) }
      })
      return {
        ...role,
        ...(content && { content }),
        ...(thinking && { reasoning_content: thinking }),
        ...(calls.length > 0 && { tool_calls: numbered }),
      }
    },
  }
}

const withLogprobs = (chunk: ReturnType<typeof chunkOf>, { logprobs }: NativeLine): object =>
  logprobs === undefined ? chunk : { ...chunk, choices: [{ ...chunk.choices[0], logprobs: { content: logprobs } }] }

const parseLine = (text: string): NativeLine | undefined => {
  const value = parsePiece(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as NativeLine) : undefined
}
