/** Rates a reply. Shown at once, and undone if the server rejects it. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import type { QueryClient } from '@tanstack/react-query'
import { deleteRating, putRating } from '../api.ts'
import { withMessage } from '../history/changes.ts'
import type { Rating } from '../history/parts.ts'
import { changeChat } from './chat-cache.ts'

export async function rateReply(
  queryClient: QueryClient,
  chatId: string,
  { reply: { id, annotation: before }, rating }: { reply: Message; rating: Rating | undefined },
) {
  const show = (annotation: unknown) =>
    changeChat(queryClient, chatId, (chat) =>
      withMessage(chat, id, (message) => ({ ...message, annotation }) as Message),
    )
  show(rating ? { rating: rating.isGood ? 1 : -1, reason: rating.reason } : null)
  try {
    if (rating) await putRating(chatId, id, { rating: rating.isGood ? 'good' : 'bad', reason: rating.reason })
    else await deleteRating(chatId, id)
  } catch (failure) {
    show(before)
    throw failure
  }
}
