/** The interface of the sockets for other modules. */
import type { ChatEvent } from '@chancery/contract/chats/events.ts'
import type { Module } from '#kernel/kernel.ts'
import type { Topics } from './topics.ts'

export interface Realtime extends Module {
  /** Topics that sockets can watch; see `topics.ts`. Announcements reach the sockets of this node. */
  topics: Pick<Topics, 'register' | 'isWatched' | 'watched' | 'announce'>
  /** Sends to every socket of this user; does nothing when there is none. Never throws. */
  emit(userId: string, event: ChatEvent): void
  /** True when the user may have a socket, so that no event is built for nobody. */
  isListening(userId: string): boolean
  /**
   * Asks the one socket of this user that `sessionId` names (the id it connected with, or its Socket.IO id) and waits
   * for its acknowledgement. Throws `event_call_failed` when there is none, when it disconnects, and at the time limit.
   */
  call(question: Question): Promise<unknown>
}

export interface Question {
  userId: string
  sessionId: string
  event: ChatEvent
  /** Defaults to WEBSOCKET_EVENT_CALLER_TIMEOUT. */
  timeoutMs?: number
  signal?: AbortSignal
}
