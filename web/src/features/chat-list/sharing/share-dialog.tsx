/** Shares a chat: creates, updates and removes a link to a snapshot. */
import { type ChatListItem, type ShareReply, sharePagePath } from '@chancery/contract/chats/chats.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Link2Off, RefreshCw } from 'lucide-react'
import { chatKeys } from '#data/chat-keys.ts'
import { usePerson } from '#data/viewer.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { Time } from '#ui/values/time.tsx'
import { chatCalls, shareOfQuery } from '../api.ts'
import { PublicLink } from './public-link.tsx'
import { ReadOnlyLink } from './read-only-link.tsx'

interface ShareDialogProps {
  chat: Pick<ChatListItem, 'id' | 'title'> | undefined
  onClose: () => void
}

export function ShareDialog({ chat, onClose }: ShareDialogProps) {
  const hasColleagues = usePerson().organizationId !== null
  return (
    <Dialog
      title="Share chat"
      hint="People in your organization with the link can read this chat as it is now, and continue it as their own copy."
      isOpen={chat !== undefined}
      onClose={onClose}
    >
      {chat && (hasColleagues ? <Share chatId={chat.id} onClose={onClose} /> : <Alone />)}
    </Dialog>
  )
}

function useShare(chatId: string) {
  const queryClient = useQueryClient()
  const query = shareOfQuery(chatId)
  const share = useQuery(query)
  const refresh = (reply: ShareReply | null) => {
    queryClient.setQueryData(query.queryKey, reply)
    void queryClient.invalidateQueries({ queryKey: chatKeys.shares })
    if (reply) void queryClient.invalidateQueries({ queryKey: chatKeys.shared(reply.share_id) })
  }
  const make = useMutation({
    mutationFn: (shareId: string | undefined) => chatCalls.share(chatId, shareId),
    onSuccess: refresh,
    onError: (error) => {
      toast.failed(error)
      // Sharing may have been stopped in another tab.
      void share.refetch()
    },
  })
  const stop = useMutation({
    mutationFn: () => chatCalls.stopSharing(chatId),
    onSuccess: () => {
      refresh(null)
      toast.done('Sharing stopped. The link no longer works.')
    },
    onError: toast.failed,
  })
  return { share, make, stop, refresh }
}

function Share({ chatId, onClose }: { chatId: string; onClose: () => void }) {
  const { share, make, stop, refresh } = useShare(chatId)
  if (share.isPending) return <ShareSkeleton />
  if (share.isError) return <ErrorPanel error={share.error} onRetry={share.refetch} />
  if (share.data === null) {
    return (
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" icon={Link2} isPending={make.isPending} onClick={() => make.mutate(undefined)}>
          Create link
        </Button>
      </DialogActions>
    )
  }
  return (
    <>
      <div className="flex flex-col gap-5">
        <ReadOnlyLink
          label="Link"
          url={location.origin + sharePagePath(share.data.share_id)}
          help={
            <>
              Snapshot from <Time at={share.data.shared_at} />
            </>
          }
        />
        <PublicLink chatId={chatId} share={share.data} onChange={refresh} />
      </div>
      <DialogActions>
        <Button icon={Link2Off} isPending={stop.isPending} onClick={() => stop.mutate()}>
          Stop sharing
        </Button>
        <Button
          icon={RefreshCw}
          isPending={make.isPending}
          onClick={() => make.mutate(share.data?.share_id, { onSuccess: () => toast.done('Snapshot updated') })}
        >
          Update snapshot
        </Button>
      </DialogActions>
    </>
  )
}

const Alone = () => (
  <p className="rounded-control bg-sunken px-4 py-3 text-soft">
    You’re not in an organization, so no one could open the link. Export the chat from its menu instead.
  </p>
)

const ShareSkeleton = () => (
  <Loading label="Loading link">
    <Skeleton className="h-9 w-full" />
    <Skeleton className="mt-6 ml-auto h-9 w-48" />
  </Loading>
)
