/** Creating, renaming, moving and deleting folders. */
import type { Folder } from '@chancery/contract/chats/chats.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { chatKeys } from '#data/chat-keys.ts'
import { toast } from '#ui/feedback/toast.ts'
import { folderCalls } from '../api.ts'

export function useFolderActions() {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onError: toast.failed,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: chatKeys.folders }),
        queryClient.invalidateQueries({ queryKey: chatKeys.lists }),
      ]),
  })
  const show = (change: (folders: Folder[]) => Folder[]) =>
    queryClient.setQueryData<Folder[]>(chatKeys.folders, (folders) => folders && change(folders))
  const alter = (id: string, patch: Partial<Folder>) =>
    show((folders) => folders.map((folder) => (folder.id === id ? { ...folder, ...patch } : folder)))
  return {
    isPending,
    create: (name: string, parentId: string | null) => mutate(() => folderCalls.create(name, parentId)),
    rename: (folder: Folder, name: string) => {
      alter(folder.id, { name })
      mutate(() => folderCalls.rename(folder, name))
    },
    reparent: (folder: Folder, parentId: string | null) => {
      alter(folder.id, { parent_id: parentId })
      mutate(() => folderCalls.reparent(folder, parentId))
    },
    remove: (folder: Folder, onDone: () => void) => mutate(() => folderCalls.remove(folder), { onSettled: onDone }),
  }
}

export type FolderActions = ReturnType<typeof useFolderActions>
