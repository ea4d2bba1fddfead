/** What the server works on for the viewer. Followed only while there is something to follow. */
import { FileList } from '@chancery/contract/files.ts'
import { CollectionList } from '@chancery/contract/knowledge.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { activityKey } from '#lib/activity-key.ts'
import { api } from '#lib/api.ts'
import { useUploads } from '#lib/uploads.ts'

const refreshMs = 2000

async function load() {
  const [files, collections] = await Promise.all([
    api.get('/api/v1/files/?status=pending&limit=20', FileList),
    api.get('/api/v1/knowledge/?status=processing&limit=20', CollectionList),
  ])
  return { files, collections }
}

const nothing = { items: [], total: 0 }

export function useActivity(isOn: boolean) {
  const all = useUploads()
  const uploads = all.filter(({ state }) => state !== 'sent')
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: activityKey,
    queryFn: load,
    enabled: isOn,
    refetchInterval: ({ state }) =>
      state.data && state.data.files.total + state.data.collections.total > 0 ? refreshMs : false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each upload that ends is a file that the server works on
  useEffect(() => {
    if (isOn) void queryClient.invalidateQueries({ queryKey: activityKey })
  }, [queryClient, isOn, uploads.length, all.length])
  const { files = nothing, collections = nothing } = data ?? {}
  return { uploads, files, collections, count: uploads.length + files.total + collections.total }
}
