/** What the floors above use of the sockets. */
import type { ChatEvent } from '@chancery/contract/chat-events.ts'
import type { Module } from '#kernel/kernel.ts'

export interface Realtime extends Module {
  /** To every socket of this user; nobody there, nothing happens. Never throws. */
  emit(userId: string, event: ChatEvent): void
  /** Whether anybody would hear an event, so that none is made for an empty room. */
  isListening(userId: string): boolean
  /**
   * Asks the one socket of this user that `sessionId` names (the id it connected with, or its Socket.IO id) and waits
   * for its acknowledgement. Throws `event_call_failed` at once when there is none, when it leaves, and at the time limit.
   */
  call(question: Question): Promise<unknown>
}

export interface Question {
  userId: string
  sessionId: string
  event: ChatEvent
  /** WEBSOCKET_EVENT_CALLER_TIMEOUT unless told otherwise. */
  timeoutMs?: number
  signal?: AbortSignal
}
