/** One completion in the pipeline. */

import type { CompletionBody } from '@chancery/contract/chats/completions.ts'
import type { UiEvent } from '@chancery/contract/chats/events.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatHead } from '#modules/chats/index.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import type { FilterContext } from '../interface.ts'

export interface PipelineRequest {
  actor: Actor
  body: CompletionBody
  model: ResolvedModel
  signal: AbortSignal
  /** Sends an event to the caller's tabs; does nothing if the reply has no message. */
  emit(event: UiEvent): void
  chat: ChatHead | undefined
  messageId: string | null
}

export const filterContextOf = ({ actor, body, model, chat, messageId, emit }: PipelineRequest): FilterContext => ({
  actor,
  modelId: model.id,
  modelFilterIds: model.filterIds,
  emit,
  chatId: chat?.id ?? null,
  messageId,
  // Names one of the caller's own sockets; it is always looked up among those of the actor (A33).
  sessionId: body.session_id ?? null,
})
