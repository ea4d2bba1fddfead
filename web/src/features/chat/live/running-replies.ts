/** The replies this tab is following, by message; followed per chat, as chats are opened and closed. */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { isSocketOpen } from '#lib/http/socket.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { readFrames } from '../api.ts'
import type { Reply } from '../history/reply.ts'
import { type Follower, followReply } from './follow-reply.ts'
import { dropReply, setReply } from './reply-store.ts'

interface Following {
  chatId: string
  messageId: string
  isFresh: boolean
  onEnd: (reply: Reply) => void
  onLost: () => void
}

const followers = new Map<string, { chatId: string; follower: Follower }>()

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

export function follow({ chatId, messageId, isFresh, onEnd, onLost }: Following) {
  if (followers.has(messageId)) return
  const follower = followReply({
    readFrames: (after, signal) => readFrames({ chatId, messageId, after }, signal),
    onReply: (reply) => setReply(messageId, reply),
    onEnd: (reply) => {
      followers.delete(messageId)
      onEnd(reply)
      dropReply(messageId)
    },
    onLost,
    isMissing,
    isFresh,
  })
  followers.set(messageId, { chatId, follower })
  if (!isFresh) follower.resume()
}

/** Returns whether that reply is being followed. */
export function takeFrameOf(messageId: string, frame: ReplyFrame): boolean {
  const follower = followers.get(messageId)?.follower
  follower?.take(frame)
  return follower !== undefined
}

/** The server has accepted our request for this reply. Without a socket, the stream delivers it. */
export function begun(messageId: string) {
  const follower = followers.get(messageId)?.follower
  follower?.begun()
  if (!isSocketOpen()) follower?.resume()
}

/** The socket connected or disconnected. */
export function resumeAll(chatId: string) {
  for (const one of followers.values()) if (one.chatId === chatId) one.follower.resume()
}

export function unfollow(messageId: string) {
  followers.get(messageId)?.follower.stop()
  followers.delete(messageId)
  dropReply(messageId)
}

export function leaveChat(chatId: string) {
  for (const [messageId, one] of followers) if (one.chatId === chatId) unfollow(messageId)
}

export const followedIn = (chatId: string): string[] =>
  [...followers].filter(([, one]) => one.chatId === chatId).map(([messageId]) => messageId)
