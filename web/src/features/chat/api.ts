/** The chat screen's calls. The only file of the feature that knows URLs. */
import { ReplyFrame } from '@chancery/contract/chat-events.ts'
import { Chat, type ChatOptions, type Message } from '@chancery/contract/chats.ts'
import { type ChatMessage, CompletionBegun, TaskStopped } from '@chancery/contract/completions.ts'
import { Collection } from '@chancery/contract/knowledge.ts'
import { ModelList } from '@chancery/contract/models.ts'
import type { RatingBody } from '@chancery/contract/ratings.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/http/api.ts'
import { readEvents } from '#lib/http/event-reader.ts'
import { sessionId } from '#lib/http/socket.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { chatKeys } from '#lib/queries/chat-keys.ts'

const path = '/api/v1/chats'

/** The server also sends the current thread, which the tree already contains; it is dropped here. */
const withoutThread = (chat: Chat): Chat => ({ ...chat, chat: { ...chat.chat, messages: [] } })

export const chatQuery = (id: string) =>
  queryOptions({ queryKey: chatKeys.one(id), queryFn: async () => withoutThread(await api.get(`${path}/${id}`, Chat)) })

export const useChat = (id: string) => useQuery(chatQuery(id))

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async () => (await api.get('/api/models', ModelList)).data,
  staleTime: 60_000,
})

export const useModels = () => useQuery(modelsQuery)

/** The name of a collection that a link refers to. */
export const useCollectionName = (id: string | undefined) =>
  useQuery({
    queryKey: ['collection-name', id],
    queryFn: async () => (await api.get(`/api/v1/knowledge/${id}`, Collection)).name,
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
  withoutThread(await api.post(`${path}/new`, { chat }, Chat))

export const mergeChat = async (id: string, chat: ChatWrite): Promise<void> => {
  await api.post(`${path}/${id}`, { chat }, Chat)
}

export const deleteMessage = (chatId: string, messageId: string) =>
  api.tell('DELETE', `${path}/${chatId}/messages/${messageId}`)

const ratingPath = (chatId: string, messageId: string) => `${path}/${chatId}/messages/${messageId}/rating`

export const putRating = (chatId: string, messageId: string, rating: z.infer<typeof RatingBody>) =>
  api.tell('PUT', ratingPath(chatId, messageId), rating)

export const deleteRating = (chatId: string, messageId: string) => api.tell('DELETE', ratingPath(chatId, messageId))

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
  api.begin(
    '/api/chat/completions',
    {
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
    CompletionBegun,
  )

/** A reply that isn't stored, as a stream of events. */
export const streamReply = (
  { model, messages, params }: Pick<ReplyRequest, 'model' | 'messages' | 'params'>,
  signal: AbortSignal,
) =>
  api.stream(
    '/api/chat/completions',
    { ...params, model, messages, stream: true, variables: promptVariables() },
    signal,
  )

export const stopReplies = (chatId: string) => api.post(`/api/tasks/chat/${chatId}/stop`, undefined, TaskStopped)

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
  const body = await api.open(withQuery(`${path}/${chatId}/messages/${messageId}/stream`, { after }), signal)
  for await (const { data } of readEvents(body)) {
    const frame = frameOf(data)
    if (frame) yield frame
  }
}
