/** Loads what a long chat has before the part that is here. */
import type { QueryClient } from '@tanstack/react-query'
import { readWhole, readWindow, windowSize } from '../api.ts'
import { withHistory } from '../history/changes.ts'
import type { History } from '../history/tree.ts'
import { beginningOf, isWhole, withMore } from '../history/window.ts'
import { changeChat, readChat } from './chat-cache.ts'

const add = (queryClient: QueryClient, chatId: string, more: History) =>
  changeChat(queryClient, chatId, (chat) => withHistory(chat, withMore(chat.chat.history, more)))

export async function loadEarlier(queryClient: QueryClient, chatId: string): Promise<void> {
  const chat = readChat(queryClient, chatId)
  const before = chat && beginningOf(chat.chat.history)
  if (before === undefined) return
  add(queryClient, chatId, (await readWindow(chatId, { last: windowSize, before })).chat.history)
}

/** For what needs every message, such as what a model is sent. */
export async function loadWhole(queryClient: QueryClient, chatId: string): Promise<void> {
  const chat = readChat(queryClient, chatId)
  if (!chat || isWhole(chat.chat.history)) return
  add(queryClient, chatId, (await readWhole(chatId)).chat.history)
}
