/** Keeps an open chat current: changes from other tabs and the server, and every running reply. */

import type { Chat, Message } from '@chancery/contract/chats/chats.ts'
import { ChatChanged, type ChatEvent, ReplyFrame } from '@chancery/contract/chats/events.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { chatKeys } from '#data/chat-keys.ts'
import { isSocketOpen, listen, useSocketOpen } from '#lib/http/socket.ts'
import { toast } from '#ui/feedback/toast.ts'
import { isPartial, withChange, withEvent, withMessage, withTags, withTitle } from '../history/changes.ts'
import { failureOf, isPending } from '../history/parts.ts'
import { runInPage } from '../questions/run-in-page.ts'
import { changeChat, followInto, readChat } from './chat-cache.ts'
import { neverStarted } from './follow-reply.ts'
import { followedIn, leaveChat, resumeAll, takeFrameOf, unfollow } from './running-replies.ts'

const fieldOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null && name in data ? (data as Record<string, unknown>)[name] : data

function applyToChat(queryClient: QueryClient, chatId: string, { type, data }: ChatEvent['data']): boolean {
  const change = (next: (chat: Chat) => Chat) => changeChat(queryClient, chatId, next)
  if (type === 'chat:title') {
    const title = fieldOf(data, 'title')
    if (typeof title === 'string') change((chat) => withTitle(chat, title))
    return true
  }
  if (type === 'chat:tags') {
    const tags = fieldOf(data, 'tags')
    if (Array.isArray(tags)) change((chat) => withTags(chat, tags.map(String)))
    return true
  }
  if (type !== 'chat:changed') return false
  const changed = ChatChanged.safeParse(data)
  if (changed.data?.deleted) {
    void queryClient.resetQueries({ queryKey: chatKeys.one(chatId) })
    return true
  }
  const before = readChat(queryClient, chatId)
  if (!changed.success || !before) return true
  change((chat) => withChange(chat, changed.data))
  if (isPartial(before, changed.data)) void queryClient.invalidateQueries({ queryKey: chatKeys.one(chatId) })
  return true
}

function applyEvent(queryClient: QueryClient, chatId: string, { message_id: messageId, data: event }: ChatEvent) {
  if (event.type === 'notification') return notify(event.data)
  if (event.type === 'execute') return void runInPage(event.data)
  if (applyToChat(queryClient, chatId, event) || messageId === null) return
  const frame = event.type === 'chat:completion' ? ReplyFrame.safeParse(event.data) : undefined
  if (frame?.success) {
    if (!takeFrameOf(messageId, frame.data))
      changeChat(queryClient, chatId, (chat) => withMessage(chat, messageId, reopened))
    return
  }
  changeChat(queryClient, chatId, (chat) =>
    withMessage(chat, messageId, (message) => withEvent(message, event.type, event.data) ?? message),
  )
}

/** A reply that was given up as never started, and starts after all. */
const reopened = (message: Message): Message =>
  failureOf(message.error)?.code === neverStarted ? { ...message, error: undefined, done: false } : message

function notify(data: unknown) {
  const content = fieldOf(data, 'content')
  if (typeof content !== 'string') return
  const type = fieldOf(data, 'type')
  if (type === 'error' || type === 'warning') toast.failed(new Error(content))
  else toast.done(content)
}

export function useLiveChat(chatId: string, chat: Chat | undefined) {
  const queryClient = useQueryClient()
  useEffect(() => {
    // Events sent before the socket connects are lost, like those sent while it is disconnected.
    let isConnectedFromStart = isSocketOpen()
    const queryKey = chatKeys.one(chatId)
    const isReading = () => queryClient.isFetching({ queryKey }) > 0
    let isWanted = false
    let isRefetching = false
    const refetchChat = async () => {
      isWanted = true
      if (isRefetching) return
      isRefetching = true
      while (isWanted) {
        // A refetch in flight may be older than the event, so another one follows it.
        isWanted = isReading()
        await queryClient.invalidateQueries({ queryKey })
      }
      isRefetching = false
    }
    const leave = listen({
      onEvent: (event) => {
        if (event.chat_id !== chatId) return
        applyEvent(queryClient, chatId, event)
        // Reply frames are numbered and recover by themselves.
        if (event.data.type !== 'chat:completion' && isReading()) void refetchChat()
      },
      onOpen: () => {
        if (!isConnectedFromStart) void refetchChat()
        isConnectedFromStart = false
        resumeAll(chatId)
      },
    })
    return () => {
      leave()
      leaveChat(chatId)
    }
  }, [chatId, queryClient])

  const isOpen = useSocketOpen()
  useEffect(() => {
    if (!isOpen) resumeAll(chatId)
  }, [isOpen, chatId])

  const messages = chat?.chat.history.messages
  useEffect(() => {
    if (!messages) return
    const pending = new Set(
      Object.values(messages)
        .filter(isPending)
        .map(({ id }) => id),
    )
    for (const messageId of followedIn(chatId)) if (!pending.has(messageId)) unfollow(messageId)
    for (const messageId of pending) followInto(queryClient, { chatId, messageId, isFresh: false })
  }, [messages, chatId, queryClient])
}
