/**
 * This tab's only socket. It is opened by the first listener, loaded only then, and closed by the last one. Messages
 * are hints that may be lost: code that needs completeness listens to `onOpen` and refetches.
 */
import {
  type ChatEvent,
  questionClosed,
  socketEvent,
  socketPath,
  topicChanged,
  unwatchMessage,
  watchMessage,
} from '@chancery/contract/chats/events.ts'
import { useSyncExternalStore } from 'react'
import type { Socket } from 'socket.io-client'
import { createListeners } from '#lib/browser/listeners.ts'
import { uuidV4 } from '#lib/browser/uuid.ts'

/** Identifies this tab in requests, so questions of a running reply come back to it alone. */
export const sessionId = uuidV4()

interface Listener {
  onEvent?: (event: ChatEvent) => void
  /** A question of a plugin, asked of this tab alone. Aborted when nobody waits for the answer any more. */
  onQuestion?: (event: ChatEvent, signal: AbortSignal) => Promise<unknown>
  /** Called each time the socket connects, including the first. */
  onOpen?: () => void
}

/** After a rejection (signed out elsewhere, server full) the socket doesn't reconnect on its own. */
const refusedRetryMs = 15_000

const listeners = new Set<Listener>()
const { subscribe: watch, tell: tellWatchers } = createListeners()
let socket: Socket | undefined
let isLoading = false
let isOpen = false
let wasOpen = false
let retry: ReturnType<typeof setTimeout> | undefined
let connection = new AbortController()

function setOpen(next: boolean) {
  if (isOpen === next) return
  isOpen = next
  wasOpen ||= next
  tellWatchers()
}

const isChatEvent = (value: unknown): value is ChatEvent =>
  typeof value === 'object' &&
  value !== null &&
  'data' in value &&
  typeof value.data === 'object' &&
  value.data !== null &&
  'type' in value.data &&
  typeof value.data.type === 'string'

function tryAgainLater(own: Socket) {
  setOpen(false)
  connection.abort()
  connection = new AbortController()
  // `active` means that the library itself reconnects.
  if (own.active) return
  clearTimeout(retry)
  retry = setTimeout(() => own.connect(), refusedRetryMs)
}

/** Open questions, each with what closes it: the server says so, or the socket disconnects. */
const questions = new Map<string, AbortController>()

async function ask(event: ChatEvent, answer: (value: unknown) => void) {
  const asked = [...listeners].find(({ onQuestion }) => onQuestion)?.onQuestion
  if (!asked) return
  const { question_id: id = uuidV4() } = event
  const closed = new AbortController()
  const signal = AbortSignal.any([connection.signal, closed.signal])
  questions.set(id, closed)
  try {
    const value = await asked(event, signal)
    if (!signal.aborted) answer(value)
  } finally {
    questions.delete(id)
  }
}

const closedId = ({ data: { type, data } }: ChatEvent): string | undefined =>
  type === questionClosed ? String((data as { id?: unknown } | null)?.id) : undefined

function attach(own: Socket) {
  own.on('connect', () => {
    setOpen(true)
    for (const { onOpen } of listeners) onOpen?.()
  })
  own.on('disconnect', () => tryAgainLater(own))
  own.on('connect_error', () => tryAgainLater(own))
  own.on(socketEvent, (event: unknown, answer: unknown) => {
    if (!isChatEvent(event)) return
    const closed = closedId(event)
    if (closed !== undefined) return questions.get(closed)?.abort()
    if (typeof answer === 'function') return void ask(event, (value) => answer(value))
    for (const { onEvent } of listeners) onEvent?.(event)
  })
}

async function open() {
  if (socket !== undefined || isLoading) return
  isLoading = true
  try {
    const { io } = await import('socket.io-client')
    if (listeners.size === 0) return
    socket = io({
      path: socketPath,
      transports: ['websocket'],
      auth: { session_id: sessionId },
      reconnectionDelayMax: 5000,
    })
    attach(socket)
  } catch {
    // The file did not load; the next listener tries again, and until then replies come by the resume stream.
  } finally {
    isLoading = false
  }
}

function close() {
  clearTimeout(retry)
  socket?.disconnect()
  socket = undefined
  setOpen(false)
  wasOpen = false
}

/** Listens until the returned function is called. A listener added while connected is called immediately. */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  if (isOpen) listener.onOpen?.()
  void open()
  return () => {
    listeners.delete(listener)
    // One page's unmount is often followed by another's mount, so the socket is kept for a moment.
    setTimeout(() => listeners.size === 0 && close(), 1000)
  }
}

interface TopicListener {
  /** Something changed, or may have while the socket was disconnected. */
  onChange: () => void
  /** Whether changes are announced now. */
  onWatching: (isWatching: boolean) => void
}

/** Is told of changes until the returned function is called. One listener per topic and ID at a time. */
export function watchTopic(topic: string, id: string, { onChange, onWatching }: TopicListener): () => void {
  let isOver = false
  const onOpen = () =>
    socket?.emit(watchMessage, { topic, id }, (reply: { watching?: unknown } | undefined) => {
      if (isOver || reply?.watching !== true) return
      onWatching(true)
      onChange()
    })
  const onEvent = ({ data: { type, data } }: ChatEvent) => {
    const named = data as { topic?: unknown; id?: unknown } | null
    if (type === topicChanged && named?.topic === topic && named.id === id) onChange()
  }
  const leave = listen({ onOpen, onEvent })
  const unwatchState = watch(() => {
    if (!isOpen) onWatching(false)
  })
  return () => {
    isOver = true
    unwatchState()
    socket?.emit(unwatchMessage, { topic, id })
    leave()
  }
}

export const isSocketOpen = (): boolean => isOpen

export const useSocketOpen = (): boolean => useSyncExternalStore(watch, isSocketOpen)

/** Whether an established connection was lost; the first connecting doesn't count. */
export const useSocketLost = (): boolean => useSyncExternalStore(watch, () => wasOpen && !isOpen)
