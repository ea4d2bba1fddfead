/** Previews the sync of a folder, and starts it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { startWork } from '#lib/tab/tab-work.ts'
import { counted } from '#lib/text/counted.ts'
import { toast } from '#ui/feedback/toast.ts'
import { refreshCollection } from '../api.ts'
import { type FolderFile, previewSync } from './api.ts'
import { hashFile } from './hash-file.ts'
import { type FolderSync, runSync } from './run-sync.ts'

/** The files of a folder as the browser gives them, in `webkitRelativePath`. */
export interface PickedFolder {
  /** Tells one choice from the next. */
  key: number
  name: string
  files: readonly File[]
}

export const maxSyncFiles = 2000

/** Without the name of the folder itself, so that it may be renamed or moved. */
const pathIn = ({ webkitRelativePath }: File) => webkitRelativePath.split('/').slice(1).join('/')

export function useSyncPreview(collectionId: string, folder: PickedFolder | undefined) {
  const [read, setRead] = useState(0)
  const query = useQuery({
    queryKey: ['sync-preview', collectionId, folder?.key],
    enabled: folder !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<FolderSync> => {
      const files: FolderFile[] = []
      const sources = folder?.files ?? []
      if (sources.length > maxSyncFiles)
        throw new Error(`This folder has ${counted(sources.length, 'file')}. At most ${maxSyncFiles} can be synced.`)
      for (const source of sources) {
        signal.throwIfAborted()
        setRead(files.length)
        files.push({ path: pathIn(source), hash: await hashFile(source), source })
      }
      return { collectionId, files, preview: await previewSync(collectionId, files) }
    },
  })
  return { ...query, read }
}

export function useStartSync(collection: { id: string; name: string }) {
  const queryClient = useQueryClient()
  return (folder: PickedFolder, sync: FolderSync) => {
    const name = `Sync of “${folder.name}”`
    void startWork({ kind: 'folder-sync', name, word: 'Starting', collectionId: collection.id }, async (run) => {
      try {
        const result = await runSync(sync, run)
        // The person may have signed out while the last call was on its way.
        if (!run.signal.aborted) toast.done(`“${collection.name}” synced: ${result.word}`)
        return result
      } finally {
        void refreshCollection(queryClient, collection.id)
      }
    })
  }
}
