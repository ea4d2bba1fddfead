/**
 * Outlet filters inside a completion (contract, Versioning 3): on pre-release builds they run for a reply that belongs to
 * a chat and isn't streamed. They change what is stored, not the HTTP response.
 */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import type { CompletionsContext } from './context.ts'
import type { OutletPayload } from './interface.ts'
import { textOf } from './pipeline/message-text.ts'
import { filterContextOf, type PipelineRequest } from './pipeline/request.ts'
import { filtersFor, runOutlet } from './pipeline/run-filters.ts'
import type { LiveReply } from './replies/live-reply.ts'

export interface InlineOutlet {
  /** The text to be stored. */
  run(): Promise<string | undefined>
  /** Sends `chat:outlet` to the owner's tabs. Call it after the text is stored. */
  announce(): void
}

export const createInlineOutlet = (
  context: CompletionsContext,
  request: PipelineRequest,
  reply: LiveReply,
): InlineOutlet | undefined => {
  const { config, log, realtime } = context
  const { body } = request
  if (config.SVC_BUILD !== 'pre-release' || body.stream === true) return undefined
  let messages: ChatMessage[] | undefined
  return {
    run: async () => {
      const filterContext = filterContextOf(request)
      const filters = await filtersFor(context, filterContext, body.filter_ids ?? [])
      const answer = { role: 'assistant', content: reply.log.content, id: reply.ref.messageId }
      const payload: OutletPayload = {
        model: body.model,
        messages: [...body.messages, answer],
        chat_id: body.chat_id,
        session_id: body.session_id,
        id: body.id,
      }
      messages = (await runOutlet(filters, payload, { context: filterContext, log })).messages
      const last = messages.findLast(({ role }) => role === 'assistant')
      return last ? textOf(last) : undefined
    },
    announce: () => {
      if (!messages) return
      const { chatId, messageId } = reply.ref
      const data = { type: 'chat:outlet', data: { messages } }
      realtime.emit(reply.userId, { chat_id: chatId, message_id: messageId, data })
    },
  }
}
