/** Actions on a chat in the list. Optimistic; if the server rejects one, the lists are refetched. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { chatKeys } from '#data/chat-keys.ts'
import { toast } from '#ui/feedback/toast.ts'
import { chatCalls } from '../api.ts'
import { nameOf } from '../chat-name.ts'
import { useCopying } from '../transfer/use-copying.ts'
import { dropCached, placeCached } from './cached-lists.ts'
import { deleteSoon, takeBack } from './delayed-delete.ts'
import { actionKey, refetchLists } from './refetch-lists.ts'

interface Action {
  chat: ChatListItem
  /** The lists after the action. */
  patch: Partial<ChatListItem>
  send: () => Promise<unknown>
  onDone?: () => void
}

function useAction() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: actionKey,
    mutationFn: ({ send }: Action) => send(),
    onMutate: async ({ chat, patch }) => {
      // Replies in flight are from before the action.
      await queryClient.cancelQueries({ queryKey: chatKeys.lists })
      placeCached(queryClient, { ...chat, ...patch })
    },
    onSuccess: (_, { onDone }) => onDone?.(),
    onError: (error, { chat }) => {
      toast.failed(error)
      void queryClient.invalidateQueries({ queryKey: chatKeys.lists })
      void queryClient.invalidateQueries({ queryKey: chatKeys.one(chat.id) })
    },
    onSettled: () => {
      refetchLists(queryClient)
      void queryClient.invalidateQueries({ queryKey: chatKeys.folders })
      void queryClient.invalidateQueries({ queryKey: chatKeys.tags })
    },
  }).mutate
}

/** The part of an open chat that the list can change. */
interface Titled {
  title: string
}

interface ChatLinks {
  activeId: string | undefined
  hrefOf: (chatId: string) => string
  newHref: string
}

export function useChatActions({ activeId, hrefOf, newHref }: ChatLinks) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const run = useAction()
  const copying = useCopying(hrefOf)
  return useMemo(() => {
    const leave = ({ id }: ChatListItem) => {
      if (id === activeId) router.history.push(newHref)
    }
    const archive = (chat: ChatListItem, archived: boolean) => {
      const word = archived ? 'archived' : 'restored'
      const onDone = () => toast.undoable(`“${nameOf(chat)}” ${word}`, () => archive({ ...chat, archived }, !archived))
      run({ chat, patch: { archived }, send: () => chatCalls.archive(chat, archived), onDone })
      if (archived) leave(chat)
    }
    return {
      rename: (chat: ChatListItem, title: string) => {
        queryClient.setQueryData<Titled>(chatKeys.one(chat.id), (open) => open && { ...open, title })
        run({ chat, patch: { title }, send: () => chatCalls.rename(chat, title) })
      },
      pin: (chat: ChatListItem, pinned: boolean) =>
        run({ chat, patch: { pinned }, send: () => chatCalls.pin(chat, pinned) }),
      move: (chat: ChatListItem, folderId: string | null) =>
        run({ chat, patch: { folder_id: folderId }, send: () => chatCalls.move(chat, folderId) }),
      tag: (chat: ChatListItem, tags: string[]) =>
        run({ chat, patch: { tags }, send: () => chatCalls.tag(chat, tags) }),
      archive,
      ...copying,
      remove: (chat: ChatListItem) => {
        deleteSoon(chat.id, async () => {
          try {
            await chatCalls.remove(chat.id)
            dropCached(queryClient, chat.id)
          } catch (error) {
            toast.failed(error)
          }
          await queryClient.invalidateQueries({ queryKey: chatKeys.folders })
        })
        leave(chat)
        toast.undoable(`“${nameOf(chat)}” deleted`, () => {
          takeBack(chat.id)
          if (chat.id === activeId) router.history.push(hrefOf(chat.id))
        })
      },
    }
  }, [run, copying, queryClient, router, activeId, hrefOf, newHref])
}

export type ChatActions = ReturnType<typeof useChatActions>
