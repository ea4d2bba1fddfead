/** Documents that wait for the viewer's signature. The rail shows their number, so the schemas are loaded with the call. */
import type { InboxItem } from '@chancery/contract/signing/inbox.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

export type { InboxItem }

const endpoints = () => import('@chancery/contract/endpoints/signing.ts')
/** Other people send documents. */
const refreshMs = 30_000

export const useInbox = () =>
  useQuery({
    queryKey: ['signing-inbox'],
    queryFn: () => call(async () => (await endpoints()).listInbox),
    refetchInterval: refreshMs,
  })

/** How many documents wait; undefined until loaded. */
export const useInboxCount = (): number | undefined => useInbox().data?.data.length

/** Makes a link for the viewer alone and goes there. */
export const useOpenFromInbox = (onOpened: (path: string) => void) =>
  useMutation({
    mutationFn: ({ recipientId }: InboxItem) =>
      call(async () => (await endpoints()).openFromInbox, { params: { recipientId } }),
    onSuccess: (opened) => onOpened(opened.path),
    onError: toast.failed,
  })
