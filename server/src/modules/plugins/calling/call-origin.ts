import type { UiEvent } from '@chancery/contract/chats/events.ts'
import type { Actor } from '#kernel/http/actor.ts'

/** The request that the plugin works for. */
export interface CallOrigin {
  actor: Actor
  modelId: string | null
  chatId: string | null
  messageId: string | null
  sessionId: string | null
  signal?: AbortSignal | undefined
  emit(event: UiEvent): void
  /** Which background task the model is asked for, such as `title_generation`. */
  task?: string | undefined
  /** Set when the plugin isn't given them as part of the body. */
  messages?: readonly unknown[]
  files?: readonly unknown[]
  tools?: readonly { name: string; description: string; parameters: Record<string, unknown> }[]
  callTool?(name: string, args: Record<string, unknown>): Promise<unknown>
}
