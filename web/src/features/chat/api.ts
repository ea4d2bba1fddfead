/** The chat screen's calls. The only file of the feature that knows URLs. */

import { Chat, type ChatOptions, type Message } from '@chancery/contract/chats/chats.ts'
import { type ChatMessage, CompletionBegun } from '@chancery/contract/chats/completions.ts'
import { ReplyFrame } from '@chancery/contract/chats/events.ts'
import type { RatingBody } from '@chancery/contract/chats/ratings.ts'
import * as chatsEndpoints from '@chancery/contract/endpoints/chats.ts'
import * as completionsEndpoints from '@chancery/contract/endpoints/completions.ts'
import * as knowledgeEndpoints from '@chancery/contract/endpoints/knowledge.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { readEvents } from '@chancery/contract/reading/event-reader.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { chatKeys } from '#data/chat-keys.ts'
import { api } from '#lib/http/api.ts'
import { call, unchecked } from '#lib/http/call.ts'
import { sessionId } from '#lib/http/socket.ts'
import { threadOf } from './history/tree.ts'
import { isWhole } from './history/window.ts'

/** The server also sends the current thread, which the tree already contains; it is dropped here. */
const withoutThread = (chat: Chat): Chat => ({ ...chat, chat: { ...chat.chat, messages: [] } })

/** Longer chats are loaded from their end, so many messages at a time. */
export const windowSize = 200

export const readWhole = async (chatId: string): Promise<Chat> =>
  withoutThread(await call({ ...chatsEndpoints.getChat, reply: Chat }, { params: { chatId } }))

export const readWindow = async (chatId: string, window: { last: number; before?: string }): Promise<Chat> =>
  withoutThread(
    await call(
      { ...chatsEndpoints.getChat, reply: Chat },
      { params: { chatId }, query: { branch: 'active', ...window } },
    ),
  )

/** A chat that is here already is read again as far as it is here. */
const readAgain = (id: string, { history }: Chat['chat']): Promise<Chat> => {
  const length = threadOf(history, history.currentId).length
  return isWhole(history) && length > windowSize
    ? readWhole(id)
    : readWindow(id, { last: Math.max(windowSize, length) })
}

export const chatQuery = (id: string) =>
  queryOptions({
    queryKey: chatKeys.one(id),
    queryFn: ({ client, queryKey }) => {
      const known = client.getQueryData<Chat>(queryKey)
      return known ? readAgain(id, known.chat) : readWindow(id, { last: windowSize })
    },
  })

export const useChat = (id: string) => useQuery(chatQuery(id))

export const useWholeChat = (id: string) =>
  useQuery({ queryKey: [...chatKeys.one(id), 'whole'], queryFn: () => readWhole(id) })

/** The name of a collection that a link refers to. */
export const useCollectionName = (id: string | undefined) =>
  useQuery({
    queryKey: ['collection-name', id],
    queryFn: async () => (await call(knowledgeEndpoints.getCollection, { params: { id: id ?? '' } })).name,
    enabled: id !== undefined,
  })

interface ChatWrite {
  title?: string
  models?: readonly string[]
  messages?: readonly Message[]
  params?: ChatOptions | Record<string, unknown>
  history?: { currentId?: string | null; messages?: Readonly<Record<string, Partial<Message>>> }
}

export const createChat = async (chat: ChatWrite): Promise<Chat> =>
  withoutThread(await call(chatsEndpoints.createChat, { body: { chat: unchecked(chat) } }))

export const mergeChat = async (id: string, chat: ChatWrite): Promise<void> => {
  await call(chatsEndpoints.mergeChat, { params: { chatId: id }, body: { chat: unchecked(chat) } })
}

export const deleteMessage = (chatId: string, messageId: string) =>
  call(chatsEndpoints.deleteMessage, { params: { chatId, messageId } })

export const putRating = (chatId: string, messageId: string, rating: z.infer<typeof RatingBody>) =>
  call(chatsEndpoints.rateMessage, { params: { chatId, messageId }, body: rating })

export const deleteRating = (chatId: string, messageId: string) =>
  call(chatsEndpoints.unrateMessage, { params: { chatId, messageId } })

interface ReplyRequest {
  chatId: string
  messageId: string
  model: string
  messages: ChatMessage[]
  needsTitle: boolean
  needsTags: boolean
  params: Record<string, unknown>
}

/** Values for `{{USER_LANGUAGE}}` and the like in prompts that only the browser knows; the server knows the name. */
function promptVariables(now = new Date()): Record<string, string> {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return {
    '{{USER_LANGUAGE}}': navigator.language,
    '{{CURRENT_DATETIME}}': local.toISOString().slice(0, 19).replace('T', ' '),
    '{{CURRENT_TIMEZONE}}': new Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

export const beginReply = ({ chatId, messageId, model, messages, needsTitle, needsTags, params }: ReplyRequest) =>
  call(
    { ...completionsEndpoints.complete, reply: CompletionBegun },
    {
      body: {
        ...params,
        model,
        messages,
        stream: true,
        chat_id: chatId,
        id: messageId,
        session_id: sessionId,
        variables: promptVariables(),
        background_tasks: { title_generation: needsTitle, tags_generation: needsTags, follow_up_generation: true },
      },
      isBegun: true,
    },
  )

/** A reply that isn't stored, as a stream of events. */
export const streamReply = (
  { model, messages, params }: Pick<ReplyRequest, 'model' | 'messages' | 'params'>,
  signal: AbortSignal,
) =>
  api.stream(
    addressOf(completionsEndpoints.complete),
    { ...params, model, messages, stream: true, variables: promptVariables() },
    signal,
  )

export const stopReplies = (chatId: string) => call(completionsEndpoints.stopReplies, { params: { chatId } })

interface ReplyPosition {
  chatId: string
  messageId: string
  after: number
}

function frameOf(data: string): ReplyFrame | undefined {
  try {
    return ReplyFrame.safeParse(JSON.parse(data)).data
  } catch {
    // `[DONE]`, or a frame cut by a proxy: the next sequence number reveals the gap.
    return undefined
  }
}

/** The resume stream: the frames of a running reply after a given one, then new ones as they come. */
export async function* readFrames(
  { chatId, messageId, after }: ReplyPosition,
  signal: AbortSignal,
): AsyncGenerator<ReplyFrame> {
  const body = await api.open(
    addressOf(completionsEndpoints.followReply, { params: { chatId, messageId }, query: { after } }),
    signal,
  )
  for await (const { data } of readEvents(body)) {
    const frame = frameOf(data)
    if (frame) yield frame
  }
}
