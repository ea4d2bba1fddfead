/** Running replies: list, stop and follow them. */
import * as endpoints from '@chancery/contract/endpoints/completions.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import { eventStreamHeaders } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import type { CompletionsContext } from '../context.ts'
import { errorFacts } from '../error-shape.ts'
import { listTasks } from '../queries.ts'
import { type Following, followReply } from '../replies/follow-reply.ts'
import { stopChat, stopTask } from '../replies/stop-reply.ts'
import { writeFrames } from '../write-frames.ts'

export const replyRoutes = (context: CompletionsContext): Route[] => [
  route({
    ...endpoints.listReplies,
    access: 'signedIn',
    summary: 'List the running replies of a chat',
    handle: async ({ actor, params }) => {
      await context.chats.requireChat(actor, params.chatId)
      const tasks = await listTasks(context.db, actor, params.chatId)
      return { task_ids: tasks.map(({ id }) => id) }
    },
  }),
  route({
    ...endpoints.stopReplies,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Stop every reply in a chat; the messages keep what they have',
    handle: async ({ actor, params }) => {
      const count = await stopChat(context, actor, params.chatId)
      return { status: true, message: count === 0 ? 'No reply was running.' : `Stopped ${count}.` }
    },
  }),
  route({
    ...endpoints.stopReply,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Stop a reply; its message keeps what it has',
    handle: async ({ actor, params }) => {
      await stopTask(context, actor, params.taskId)
      return { status: true, message: 'Stopped.' }
    },
  }),
  route({
    ...endpoints.followReply,
    access: 'signedIn',
    summary: 'Follow a reply after a given frame, as server-sent events',
    handle: async ({ actor, params, query, http }) => {
      const after = query.after ?? lastSeen(http.header('last-event-id'))
      const following: Following = { ref: params, after, signal: http.signal }
      return { headers: eventStreamHeaders, body: writeFrames(await sseOf(context, actor, following)) }
    },
  }),
]

/** A browser's EventSource sends it when it reconnects. */
const lastSeen = (id: string | undefined): number => (id !== undefined && /^\d{1,9}$/.test(id) ? Number(id) : 0)

const sseOf = async (...following: Parameters<typeof followReply>): Promise<AsyncGenerator<string>> => {
  const frames = await followReply(...following)
  return (async function* () {
    try {
      for await (const frame of frames) yield formatSse({ id: String(frame.seq), data: JSON.stringify(frame) })
    } catch (problem) {
      // Without an id, so that who follows again goes on after the last frame. The reply itself has not failed.
      yield formatSse({ event: 'error', data: JSON.stringify({ error: errorFacts(asAppError(problem)) }) })
    }
  })()
}
