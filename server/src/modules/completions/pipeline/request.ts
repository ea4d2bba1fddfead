/** One completion on its way through the pipeline. */
import type { CompletionBody } from '@chancery/contract/completions.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatHead } from '#modules/chats/index.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import type { FilterContext } from '../face.ts'
import type { UiEvent } from '../replies/event-line.ts'

export interface PipelineRequest {
  actor: Actor
  body: CompletionBody
  model: ResolvedModel
  signal: AbortSignal
  /** Events to the caller's tabs; nothing where no message stands for the reply. */
  emit(event: UiEvent): void
  chat: ChatHead | undefined
  messageId: string | null
}

export const filterContextOf = ({ actor, body, model, chat, messageId }: PipelineRequest): FilterContext => ({
  actor,
  modelId: model.id,
  chatId: chat?.id ?? null,
  messageId,
  // A name among the caller's own sockets and no more: whoever asks it, asks as the caller (A33).
  sessionId: body.session_id ?? null,
})
