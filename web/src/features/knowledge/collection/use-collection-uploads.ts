/** Uploads into one collection. */
import { useQueryClient } from '@tanstack/react-query'
import { startUploads, useUploads } from '#data/uploads.ts'
import { maxFiles } from '#lib/browser/dropped-files.ts'
import { useTabWork } from '#lib/tab/tab-work.ts'
import { toast } from '#ui/feedback/toast.ts'
import { refreshCollection } from '../api.ts'

export function useCollectionUploads(collection: { id: string; name: string }) {
  const queryClient = useQueryClient()
  const { id, name } = collection
  const uploads = useUploads().filter(({ target }) => target.collection?.id === id)
  const works = useTabWork().filter(({ collectionId }) => collectionId === id)
  const start = (files: readonly File[]) => {
    if (files.length === 0) return
    startUploads(files, { collection: { id, name }, onSent: () => void refreshCollection(queryClient, id) })
    if (files.length >= maxFiles) toast.failed(new Error(`Only the first ${maxFiles} files are uploaded.`))
  }
  return { uploads, works, start }
}

export type CollectionUploads = ReturnType<typeof useCollectionUploads>
