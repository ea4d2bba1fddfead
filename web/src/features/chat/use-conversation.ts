/** The actions in a conversation. Each is optimistic and undone with an error message if it fails. */
import type { ChatOptions, Message } from '@chancery/contract/chats/chats.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { chatKeys } from '#data/chat-keys.ts'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { toast } from '#ui/feedback/toast.ts'
import { chatQuery, createChat, deleteMessage, mergeChat, stopReplies } from './api.ts'
import { type MessageFile, messageFilesOf } from './attachments/message-files.ts'
import { withHistory, withMessage } from './history/changes.ts'
import { isPending, type Rating } from './history/parts.ts'
import { continuesFrom } from './history/rows.ts'
import { leafUnder, threadOf } from './history/tree.ts'
import { anotherReply, type ChosenModel, newTurn, patchOf, type Turn, withoutTurn, withTurn } from './history/turns.ts'
import { beginReplies, untitled } from './live/begin-replies.ts'
import { changeChat, followInto, readChat } from './live/chat-cache.ts'
import { loadWhole } from './live/load-more.ts'
import { rateReply } from './live/rate-reply.ts'
import { unfollow } from './live/running-replies.ts'
import { runAction } from './tools/api.ts'
import { type ChatTools, chatToolsOf, toolParams } from './tools/chat-tools.ts'

export interface Conversation {
  /** Returns whether it was sent; if not, the text goes back into the composer. */
  send: (content: string, models: readonly ChosenModel[], files?: readonly MessageFile[]) => Promise<boolean>
  edit: (message: Message, content: string, models: readonly ChosenModel[]) => Promise<boolean>
  regenerate: (reply: Message, model: ChosenModel) => void
  /** Changes a finished reply in place. */
  editReply: (reply: Message, content: string) => Promise<boolean>
  /** Deletes one message; what follows it stays. */
  remove: (message: Message) => Promise<boolean>
  /** Continues from another branch. */
  choose: (messageId: string) => void
  stop: () => void
  /** Runs an action of a plugin on a reply; undefined where the chat isn't stored. */
  runAction: ((reply: Message, actionId: string) => Promise<boolean>) | undefined
  /** Undefined withdraws it. Not in a chat that isn't stored. */
  rate: ((reply: Message, rating: Rating | undefined) => Promise<boolean>) | undefined
  saveTools: (tools: ChatTools) => void
  /** Rejects if they couldn't be saved. */
  saveOptions: (options: ChatOptions) => Promise<void>
}

export const making = () => ({ newId: uuidV4, nowSec: Math.floor(Date.now() / 1000) })

async function addTurn(queryClient: QueryClient, chatId: string, turn: Turn, models: readonly ChosenModel[]) {
  await loadWhole(queryClient, chatId)
  // A refetch in flight doesn't know this turn and would remove it again.
  await queryClient.cancelQueries({ queryKey: chatKeys.one(chatId) })
  const before = readChat(queryClient, chatId)?.chat.history
  if (!before) return
  // Followed before the screen shows them as pending: it would ask for replies that the server doesn't know yet.
  for (const { id } of turn.replies) followInto(queryClient, { chatId, messageId: id, isFresh: true })
  changeChat(queryClient, chatId, (chat) => withHistory(chat, withTurn(chat.chat.history, turn)))
  try {
    const chosen = models.length > 0 ? { models: models.map(({ id }) => id) } : {}
    await mergeChat(chatId, { history: patchOf(before, turn), ...chosen })
  } catch (failure) {
    for (const { id } of turn.replies) unfollow(id)
    changeChat(queryClient, chatId, (chat) => withHistory(chat, withoutTurn(chat.chat.history, turn, before.currentId)))
    throw failure
  }
  await beginReplies(queryClient, chatId, turn.replies)
}

async function editReply(queryClient: QueryClient, chatId: string, { id, content: before }: Message, content: string) {
  const write = (text: string) =>
    changeChat(queryClient, chatId, (chat) => withMessage(chat, id, (message) => ({ ...message, content: text })))
  write(content)
  try {
    const { contentHash } = await import('./history/content-hash.ts')
    await mergeChat(chatId, { history: { messages: { [id]: { content, if_content_hash: contentHash(before) } } } })
  } catch (failure) {
    write(before)
    throw failure
  }
}

async function remove(queryClient: QueryClient, chatId: string, { id }: Message) {
  await deleteMessage(chatId, id)
  await queryClient.invalidateQueries({ queryKey: chatKeys.one(chatId) })
}

async function choose(queryClient: QueryClient, chatId: string, messageId: string) {
  await loadWhole(queryClient, chatId)
  const history = readChat(queryClient, chatId)?.chat.history
  if (!history) return
  const currentId = leafUnder(history, messageId)
  changeChat(queryClient, chatId, (chat) => withHistory(chat, { ...chat.chat.history, currentId }))
  await mergeChat(chatId, { history: { currentId } })
}

async function stop(queryClient: QueryClient, chatId: string) {
  const running = Object.values(readChat(queryClient, chatId)?.chat.history.messages ?? {}).filter(isPending)
  await stopReplies(chatId)
  // The server announces what it stores; the tab that sent it doesn't have to wait for that.
  for (const { id } of running) {
    changeChat(queryClient, chatId, (chat) => withMessage(chat, id, (message) => ({ ...message, stopped: true })))
  }
}

/** Runs a plugin's action. Changes arrive as events; a text that it returns is shown once. */
async function act(
  queryClient: QueryClient,
  chatId: string,
  { reply, actionId }: { reply: Message; actionId: string },
) {
  await loadWhole(queryClient, chatId)
  const history = readChat(queryClient, chatId)?.chat.history
  if (!history) return
  const messages = threadOf(history, reply.id).map(({ id, role, content }) => ({ id, role, content }))
  const model = String(reply.model ?? '')
  const { result } = await runAction({ actionId, chatId, messageId: reply.id, model, messages })
  if (typeof result === 'string' && result !== '') toast.done(result.slice(0, 300))
}

const saveParams = (queryClient: QueryClient, chatId: string, params: Record<string, unknown>) =>
  changeChat(queryClient, chatId, (chat) => ({
    ...chat,
    chat: { ...chat.chat, params: { ...chat.chat.params, ...params } },
  }))

/** Uses the mutation cache, which notices when the session has expired. */
function useActions() {
  const { mutateAsync } = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onError: toast.failed,
  })
  return useMemo(
    () => (action: () => Promise<unknown>) =>
      mutateAsync(action).then(
        () => true,
        () => false,
      ),
    [mutateAsync],
  )
}

export function useConversation(chatId: string): Conversation {
  const queryClient = useQueryClient()
  const attempt = useActions()
  return useMemo(() => {
    const add = (turn: Turn, models: readonly ChosenModel[] = []) =>
      attempt(() => addTurn(queryClient, chatId, turn, models))
    return {
      send: (content, models, files = []) => {
        const history = readChat(queryClient, chatId)?.chat.history
        const parentId = history ? continuesFrom(history) : null
        return add(newTurn({ parentId, content, models, files, ...making() }), models)
      },
      edit: (message, content, models) => {
        const { parentId } = message
        return add(newTurn({ parentId, content, models, files: messageFilesOf(message), ...making() }), models)
      },
      regenerate: (reply, model) => void add(anotherReply(reply, model, making())),
      editReply: (reply, content) => attempt(() => editReply(queryClient, chatId, reply, content)),
      remove: (message) => attempt(() => remove(queryClient, chatId, message)),
      choose: (messageId) => void attempt(() => choose(queryClient, chatId, messageId)),
      stop: () => void attempt(() => stop(queryClient, chatId)),
      saveOptions: async (options) => {
        await mergeChat(chatId, { params: options })
        saveParams(queryClient, chatId, options)
      },
      runAction: (reply, actionId) => attempt(() => act(queryClient, chatId, { reply, actionId })),
      rate: (reply, rating) => attempt(() => rateReply(queryClient, chatId, { reply, rating })),
      saveTools: (tools) => {
        const before = readChat(queryClient, chatId)?.chat.params ?? {}
        saveParams(queryClient, chatId, toolParams(tools))
        void attempt(async () => {
          try {
            await mergeChat(chatId, { params: toolParams(tools) })
          } catch (failure) {
            saveParams(queryClient, chatId, toolParams(chatToolsOf(before)))
            throw failure
          }
        })
      },
    }
  }, [queryClient, chatId, attempt])
}

/** The title of a chat until a model generates a better one: the beginning of the first message. */
const firstWords = (content: string): string => {
  const line = content.trim().split(/\s+/).join(' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

interface NewChat {
  turn: Turn
  models: readonly ChosenModel[]
  options: ChatOptions
  tools: ChatTools
}

/** Starts a chat. `onBegun` is called with its ID as soon as it exists, before the first word of the reply. */
export function useStartChat(onBegun: (chatId: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ turn, models, options, tools }: NewChat) => {
      const chat = await createChat({
        title: models.length > 1 ? untitled : firstWords(turn.messages[0]?.content ?? ''),
        models: models.map(({ id }) => id),
        messages: turn.messages,
        params: { ...options, ...toolParams(tools) },
        history: withTurn({ currentId: null, messages: {} }, turn),
      })
      queryClient.setQueryData(chatQuery(chat.id).queryKey, chat)
      const begun = beginReplies(queryClient, chat.id, turn.replies)
      onBegun(chat.id)
      await begun
    },
    onError: toast.failed,
  })
}

export const firstTurn = (content: string, models: readonly ChosenModel[], files: readonly MessageFile[]): Turn =>
  newTurn({ parentId: null, content, models, files, ...making() })
