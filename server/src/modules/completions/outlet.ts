/**
 * Outlet filters, by build (contract, Versioning 3): on pre-release builds they run within a completion that is not
 * streamed and whose reply belongs to a chat. They change what is stored, not what is answered.
 */
import type { ChatMessage } from '@chancery/contract/completions.ts'
import type { CompletionsContext } from './context.ts'
import type { OutletPayload } from './face.ts'
import { textOf } from './pipeline/message-text.ts'
import { filterContextOf, type PipelineRequest } from './pipeline/request.ts'
import { filtersFor, runOutlet } from './pipeline/run-filters.ts'
import type { LiveReply } from './replies/live-reply.ts'

export interface OutletRun {
  /** The text to be stored. */
  run(): Promise<string | undefined>
  /** Tells the owner's tabs, once it is stored. */
  announce(): void
}

export const createOutletRun = (
  context: CompletionsContext,
  request: PipelineRequest,
  reply: LiveReply,
): OutletRun | undefined => {
  const { config, log, realtime } = context
  const { body } = request
  if (config.SVC_BUILD !== 'pre-release' || body.stream === true) return undefined
  let messages: ChatMessage[] | undefined
  return {
    run: async () => {
      const filterContext = filterContextOf(request)
      const filters = await filtersFor(context, filterContext, body.filter_ids ?? [])
      const answer = { role: 'assistant', content: reply.log.content, id: reply.place.messageId }
      const payload: OutletPayload = {
        ...{ model: body.model, messages: [...body.messages, answer] },
        ...{ chat_id: body.chat_id, session_id: body.session_id, id: body.id },
      }
      messages = (await runOutlet(filters, payload, { context: filterContext, log })).messages
      const last = messages.findLast(({ role }) => role === 'assistant')
      return last ? textOf(last) : undefined
    },
    announce: () => {
      if (!messages) return
      const { chatId, messageId } = reply.place
      const data = { type: 'chat:outlet', data: { messages } }
      realtime.emit(reply.userId, { chat_id: chatId, message_id: messageId, data })
    },
  }
}
