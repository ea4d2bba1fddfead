/** Documents that wait for the viewer's signature. The rail shows their number, so the schemas are loaded with the call. */
import type { InboxItem } from '@chancery/contract/signing/inbox.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { toast } from '#ui/feedback/toast.ts'

export type { InboxItem }

const path = '/api/signing/inbox'
/** Other people send documents. */
const refreshMs = 30_000

export const useInbox = () =>
  useQuery({
    queryKey: ['signing-inbox'],
    queryFn: () => api.get(path, async () => (await import('@chancery/contract/signing/inbox.ts')).InboxReply),
    refetchInterval: refreshMs,
  })

/** How many documents wait; undefined until loaded. */
export const useInboxCount = (): number | undefined => useInbox().data?.data.length

/** Makes a link for the viewer alone and goes there. */
export const useOpenFromInbox = (onOpened: (path: string) => void) =>
  useMutation({
    mutationFn: ({ recipientId }: InboxItem) =>
      api.post(
        `${path}/${recipientId}/open`,
        undefined,
        async () => (await import('@chancery/contract/signing/inbox.ts')).InboxOpened,
      ),
    onSuccess: (opened) => onOpened(opened.path),
    onError: toast.failed,
  })
