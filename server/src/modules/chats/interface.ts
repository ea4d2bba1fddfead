/** The interface of chats for completions and plugins. Functions that take an actor find only the actor's chats. */

import type { Message } from '@chancery/contract/chats/chats.ts'
import type { UiEvent } from '@chancery/contract/chats/events.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'

export interface Chats extends Module {
  /** Throws `chat_not_found` for unknown and foreign alike; a platform admin owns no chats. */
  requireChat(actor: Actor, chatId: string): Promise<ChatHead>
  /** Throws `message_not_found` or `chat_not_found`. */
  requireMessage(actor: Actor, ref: MessageRef): Promise<Message>
  /** The path from the first message to this one. */
  readThread(actor: Actor, ref: MessageRef): Promise<Message[]>

  /**
   * Claims the message for one reply: from here until `endReply` only that reply writes its content, and merges don't
   * change it. Returns false if another reply has it. What the message says stays until `startReply`.
   */
  beginReply(tx: Db, ref: MessageRef, taskId: string): Promise<boolean>
  /** The model has accepted the request: empties the message. Returns false if it is no longer this reply's. */
  startReply(ref: MessageRef, reply: { taskId: string; model: string; modelName: string }): Promise<boolean>
  /** Saves the reply so far. Does nothing once the message is another's. */
  saveReply(ref: MessageRef, taskId: string, patch: ReplyPatch): Promise<void>
  /**
   * Sets `done` and frees the message, exactly once. With an error, a finished reply that was to be replaced is put back.
   * Returns false if the message is no longer this reply's.
   */
  endReply(tx: Db, ref: MessageRef, taskId: string, patch: ReplyPatch): Promise<boolean>

  /** Fields beside the content (followUps, favorite, …); announced to the owner's tabs as `chat:changed`. */
  patchMessage(ref: MessageRef, fields: Record<string, unknown>): Promise<void>
  /** A generated title. False, and nothing changes, where a person named the chat. */
  setTitle(chatId: string, title: string): Promise<boolean>
  /** Generated tags. False, and nothing changes, where a person tagged the chat. */
  setTags(chatId: string, tags: readonly string[]): Promise<boolean>
  /**
   * Applies an event of the UI channel to the message where its kind is stored (status, message, replace, files, embeds,
   * source, …) and sends it to the owner's tabs. Throws `event_not_allowed`, `validation_failed`.
   */
  applyEvent(chat: ChatHead, messageId: string, event: UiEvent): Promise<void>
  /** Full text over the caller's own messages. */
  search(actor: Actor, text: string, limit: number): Promise<SearchHit[]>
  /**
   * Port: handles text that an outside tool adds to a message. True when a reply of this process holds the message and
   * takes the text over: it then stores and sends it, and would overwrite it otherwise.
   */
  onOutsideText(handler: (ref: MessageRef, text: string) => boolean): void
  /** Port: called before chats are deleted, so that their running replies are stopped. */
  onDelete(listener: (chatIds: readonly string[]) => void): void
}

export interface ChatHead {
  id: string
  userId: string
  title: string
  messageCount: number
}

export interface MessageRef {
  chatId: string
  messageId: string
}

export interface ReplyPatch {
  content?: string
  error?: { content: string; code?: string }
  usage?: Record<string, unknown>
  sources?: unknown[]
  /** Other fields of the message: reasoning, tool calls, … */
  fields?: Record<string, unknown>
}

export interface SearchHit {
  chatId: string
  title: string
  messageId: string
  snippet: string
}
