/** A shared chat: read-only, with a button to continue it as an own chat. */
import type { SharedChat } from '@chancery/contract/chats/chats.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquarePlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { chatKeys } from '#data/chat-keys.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Time } from '#ui/values/time.tsx'
import { chatCalls, sharedQuery } from '../api.ts'

interface SharedChatViewProps {
  shareId: string
  /** The chat screen decides how messages are rendered. */
  children: (chat: SharedChat) => ReactNode
  onContinue: (chatId: string) => void
}

const isGone = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 422)

export function SharedChatView({ shareId, children, onContinue }: SharedChatViewProps) {
  const shared = useQuery(sharedQuery(shareId))
  if (shared.isPending) return <SharedSkeleton />
  if (shared.isError) {
    return (
      <div className="m-auto w-full max-w-lg p-6">
        <PageTitle>Shared chat</PageTitle>
        <h1 className="sr-only">Shared chat</h1>
        {isGone(shared.error) ? (
          <Empty
            title="This link is invalid or has expired"
            hint="The owner may have stopped sharing this chat, or it belongs to another organization."
          />
        ) : (
          <ErrorPanel error={shared.error} onRetry={shared.refetch} />
        )}
      </div>
    )
  }
  return (
    <>
      <PageTitle>{shared.data.title}</PageTitle>
      <SharedHead shareId={shareId} shared={shared.data} onContinue={onContinue} />
      {children(shared.data)}
    </>
  )
}

interface SharedHeadProps {
  shareId: string
  shared: SharedChat
  onContinue: (chatId: string) => void
}

function SharedHead({ shareId, shared, onContinue }: SharedHeadProps) {
  const queryClient = useQueryClient()
  const clone = useMutation({
    mutationFn: () => chatCalls.cloneShared(shareId),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: chatKeys.lists })
      onContinue(id)
    },
    onError: toast.failed,
  })
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b px-4 py-3 sm:px-6">
      <div className="min-w-0">
        <h1 className="truncate font-medium font-serif text-lg">{shared.title}</h1>
        <p className="text-faint text-sm">
          Shared by {shared.author}, <Time at={shared.shared_at} />
        </p>
      </div>
      <Button look="primary" icon={MessageSquarePlus} isPending={clone.isPending} onClick={() => clone.mutate()}>
        Continue in my chats
      </Button>
    </header>
  )
}

export const SharedSkeleton = () => (
  <Loading label="Loading shared chat">
    <div className="border-b px-4 py-4 sm:px-6">
      <Skeleton className="h-5 w-64 max-w-full" />
      <Skeleton className="mt-2.5 h-3 w-40" />
    </div>
    <div className="mx-auto w-full max-w-[40rem] px-4 pt-8 sm:px-6">
      <Skeleton className="ml-auto h-11 w-2/3 rounded-panel" />
      <Skeleton className="mt-10 h-3.5 w-full" />
      <Skeleton className="mt-3 h-3.5 w-4/5" />
    </div>
  </Loading>
)
