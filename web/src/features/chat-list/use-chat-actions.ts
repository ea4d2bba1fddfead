/** What one does with a chat of the list. The list shows it at once; when the server refuses, it shows the truth again. */
import type { ChatListItem } from '@chancery/contract/chats.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { chatKeys } from '#lib/chat-keys.ts'
import { toast } from '#ui/toast.tsx'
import { chatCalls } from './api.ts'
import { actionKey, askAnew } from './ask-anew.ts'
import { dropCached, placeCached } from './cached-lists.ts'
import { nameOf } from './chat-name.ts'
import { deleteSoon, takeBack } from './second-thoughts.ts'
import { useCopying } from './use-copying.ts'

interface Action {
  chat: ChatListItem
  /** How the list looks once it is done. */
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
      // Their answers are from before.
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
      askAnew(queryClient)
      void queryClient.invalidateQueries({ queryKey: chatKeys.folders })
      void queryClient.invalidateQueries({ queryKey: chatKeys.tags })
    },
  }).mutate
}

/** As much of an open chat as the list changes. */
interface Titled {
  title: string
}

interface Places {
  activeId: string | undefined
  hrefOf: (chatId: string) => string
  newHref: string
}

export function useChatActions({ activeId, hrefOf, newHref }: Places) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const run = useAction()
  const copying = useCopying(hrefOf)
  return useMemo(() => {
    const leave = ({ id }: ChatListItem) => {
      if (id === activeId) router.history.push(newHref)
    }
    const archive = (chat: ChatListItem, archived: boolean) => {
      const word = archived ? 'archived' : 'back among your chats'
      const onDone = () =>
        toast.undoable(`“${nameOf(chat)}” is ${word}.`, () => archive({ ...chat, archived }, !archived))
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
        toast.undoable(`“${nameOf(chat)}” is deleted.`, () => {
          takeBack(chat.id)
          if (chat.id === activeId) router.history.push(hrefOf(chat.id))
        })
      },
    }
  }, [run, copying, queryClient, router, activeId, hrefOf, newHref])
}

export type ChatActions = ReturnType<typeof useChatActions>
