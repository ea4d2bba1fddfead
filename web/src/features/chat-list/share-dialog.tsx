/** Shares a chat: creates, updates and removes a link to a snapshot. */
import { type ChatListItem, sharePagePath } from '@chancery/contract/chats.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Link2Off, RefreshCw } from 'lucide-react'
import { useId } from 'react'
import { chatKeys } from '#lib/chat-keys.ts'
import { usePerson } from '#lib/viewer.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { toast } from '#ui/toast.tsx'
import { chatCalls, sharedQuery } from './api.ts'

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
  const key = ['chats', 'share-of', chatId]
  const share = useQuery({ queryKey: key, queryFn: () => chatCalls.shareIdOf(chatId) })
  const refresh = (shareId: string | null) => {
    queryClient.setQueryData(key, shareId)
    void queryClient.invalidateQueries({ queryKey: chatKeys.shares })
    if (shareId !== null) void queryClient.invalidateQueries({ queryKey: chatKeys.shared(shareId) })
  }
  const make = useMutation({
    mutationFn: () => chatCalls.share(chatId),
    onSuccess: ({ share_id }) => refresh(share_id),
    onError: toast.failed,
  })
  const stop = useMutation({
    mutationFn: () => chatCalls.stopSharing(chatId),
    onSuccess: () => {
      refresh(null)
      toast.done('Sharing stopped. The link no longer works.')
    },
    onError: toast.failed,
  })
  return { share, make, stop }
}

function Share({ chatId, onClose }: { chatId: string; onClose: () => void }) {
  const { share, make, stop } = useShare(chatId)
  if (share.isPending) return <ShareSkeleton />
  if (share.isError) return <ErrorPanel error={share.error} onRetry={share.refetch} />
  if (share.data === null) {
    return (
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" icon={Link2} isPending={make.isPending} onClick={() => make.mutate()}>
          Create link
        </Button>
      </DialogActions>
    )
  }
  return (
    <>
      <SharedLink shareId={share.data} />
      <DialogActions>
        <Button icon={Link2Off} isPending={stop.isPending} onClick={() => stop.mutate()}>
          Stop sharing
        </Button>
        <Button
          icon={RefreshCw}
          isPending={make.isPending}
          onClick={() => make.mutate(undefined, { onSuccess: () => toast.done('Snapshot updated') })}
        >
          Update snapshot
        </Button>
      </DialogActions>
    </>
  )
}

function SharedLink({ shareId }: { shareId: string }) {
  const shared = useQuery(sharedQuery(shareId))
  const id = useId()
  const url = location.origin + sharePagePath(shareId)
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        Link
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
          className="h-9 min-w-0 flex-1 rounded-control border border-b-rule bg-sunken px-3 font-mono text-sm focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15"
        />
        <CopyButton text={url} label="Copy link" isWorded />
      </div>
      <p className="text-faint text-sm">
        {shared.data ? (
          <>
            Snapshot from <Time at={shared.data.shared_at} />
          </>
        ) : (
          'Shows the chat as it was when the link was created.'
        )}
      </p>
    </div>
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
