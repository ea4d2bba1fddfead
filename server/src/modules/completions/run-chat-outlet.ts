/** `/api/chat/completed`: runs outlet filters over a finished conversation, on every build. */
import type { CompletedBody } from '@chancery/contract/chats/completions.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import type { CompletionsContext } from './context.ts'
import type { OutletPayload } from './interface.ts'
import { filtersFor, runOutlet } from './pipeline/run-filters.ts'

type Completed = z.infer<typeof CompletedBody>

export const runChatOutlet = async (
  context: CompletionsContext,
  actor: Actor,
  body: Completed,
): Promise<OutletPayload> => {
  const { chats, log, models } = context
  const { id: modelId, filterIds: modelFilterIds } = await models.resolve(actor, body.model)
  const { chat_id: chatId, session_id: sessionId, filter_ids: filterIds, id } = body
  if (chatId) {
    if (!isUuid(chatId)) throw new AppError('chat_not_found')
    await chats.requireChat(actor, chatId)
  }
  const filterContext = {
    actor,
    modelId,
    modelFilterIds,
    emit: () => undefined,
    chatId: chatId ?? null,
    sessionId: sessionId ?? null,
    messageId: typeof id === 'string' ? id : null,
  }
  const asked = Array.isArray(filterIds) ? filterIds.filter((one) => typeof one === 'string') : []
  const filters = await filtersFor(context, filterContext, asked)
  return runOutlet(filters, body, { context: filterContext, log })
}
