/** `/api/chat/completions` under both prefixes that SDKs use, and `/api/chat/completed`. */

import type { CompletionBody } from '@chancery/contract/chats/completions.ts'
import * as endpoints from '@chancery/contract/endpoints/completions.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { withEarlyHead } from '#kernel/http/replies/early-head.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import { eventStreamHeaders, type RawReply } from '#kernel/http/replies/raw-reply.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import { complete, type Outcome } from '../complete.ts'
import type { CompletionsContext } from '../context.ts'
import { withErrorFacts } from '../error-shape.ts'
import { writeBytes } from '../forward-bytes.ts'
import { doneFrame, errorFrame, framesOf } from '../frames.ts'
import { runChatOutlet } from '../run-chat-outlet.ts'
import { writeFrames } from '../write-frames.ts'

/** Images are sent inside messages. */
const maxBodyBytes = 32 * 1024 * 1024

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

export const completionRoutes = (context: CompletionsContext): Route[] => {
  const handle = async ({ actor, body, http }: { actor: Actor; body: CompletionBody; http: HttpCall }) => {
    const respondsAsync = isAsyncPreferred(http.header('prefer'))
    const begun: Record<string, string> = {}
    const onTask = (taskId: string): void => void Object.assign(begun, taskHeaders(taskId))
    const outcome = complete(context, { actor, body, signal: http.signal, respondsAsync, onTask })
    const reply = outcome.then((settled) => replyOf(settled, body))
    if (body.stream !== true || respondsAsync) return reply
    return withEarlyHead(reply, {
      silenceMs: context.silenceMs,
      headers: () => ({ ...eventStreamHeaders, ...begun }),
      failed: (problem) => errorFrame(asAppError(problem)) + doneFrame,
    })
  }
  const completion = (path: '/api/chat/completions' | '/api/v1/chat/completions') =>
    route({
      ...endpoints.complete,
      path,
      access: 'signedIn',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'A chat completion; with chat_id and id the reply is also stored in that message',
      maxBodyBytes,
      errorShape: withErrorFacts,
      handle,
    })
  return [
    completion('/api/chat/completions'),
    completion('/api/v1/chat/completions'),
    route({
      ...endpoints.completeChat,
      access: 'signedIn',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Runs outlet filters over a finished conversation; deprecated on pre-release builds',
      maxBodyBytes,
      errorShape: withErrorFacts,
      handle: async ({ actor, body }) => ({
        headers: { ...jsonHeaders, ...(context.config.SVC_BUILD === 'pre-release' && { deprecation: 'true' }) },
        body: JSON.stringify(await runChatOutlet(context, actor, body)),
      }),
    }),
  ]
}

/** RFC 7240. */
const isAsyncPreferred = (prefer: string | undefined): boolean =>
  prefer?.split(',').some((one) => one.trim().toLowerCase() === 'respond-async') ?? false

const taskHeaders = (taskId: string): Record<string, string> => ({ 'x-task-id': taskId })

const replyOf = (outcome: Outcome, { chat_id }: CompletionBody): RawReply => {
  const ofTask = outcome.taskId === null ? {} : taskHeaders(outcome.taskId)
  switch (outcome.kind) {
    case 'bytes':
      return { headers: eventStreamHeaders, body: (outlet) => writeBytes(outcome.flow, outlet) }
    case 'stream':
      return { headers: { ...eventStreamHeaders, ...ofTask }, body: writeFrames(framesOf(outcome.chunks)) }
    case 'whole':
      return { headers: { ...jsonHeaders, ...ofTask }, body: JSON.stringify(outcome.completion) }
    case 'begun':
      return {
        status: 202,
        headers: { ...jsonHeaders, ...ofTask, 'preference-applied': 'respond-async' },
        body: JSON.stringify({ status: true, task_ids: [outcome.taskId], chat_id }),
      }
  }
}
