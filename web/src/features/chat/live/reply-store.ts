/**
 * Running replies, stored apart from the chat: a token must re-render one message, not the conversation. Messages look
 * here first; when the reply ends, it is written into the chat and removed from here.
 */
import { useCallback, useSyncExternalStore } from 'react'
import type { Reply } from '../history/reply.ts'

/** A hidden tab gets no animation frames, so it is updated at this interval instead. */
const hiddenMs = 500

const replies = new Map<string, Reply>()
const listeners = new Map<string, Set<() => void>>()
const touched = new Set<string>()
let isScheduled = false

function tell() {
  isScheduled = false
  const ids = [...touched]
  touched.clear()
  for (const id of ids) for (const listener of listeners.get(id) ?? []) listener()
}

function touch(messageId: string) {
  touched.add(messageId)
  if (isScheduled) return
  isScheduled = true
  if (document.hidden) setTimeout(tell, hiddenMs)
  else requestAnimationFrame(tell)
}

export const getReply = (messageId: string): Reply | undefined => replies.get(messageId)

export function setReply(messageId: string, reply: Reply) {
  replies.set(messageId, reply)
  touch(messageId)
}

export function dropReply(messageId: string) {
  if (replies.delete(messageId)) touch(messageId)
}

export function useReply(messageId: string): Reply | undefined {
  const subscribe = useCallback(
    (listener: () => void) => {
      const own = listeners.get(messageId) ?? new Set()
      listeners.set(messageId, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(messageId)
      }
    },
    [messageId],
  )
  return useSyncExternalStore(subscribe, () => getReply(messageId))
}
