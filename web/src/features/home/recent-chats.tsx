/** The chats the viewer wrote in last. */
import type { ReactNode } from 'react'
import { HrefLink } from '#ui/href-link.tsx'
import { Panel } from '#ui/layout.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { useRecentChats } from './api.ts'

interface RecentChatsProps {
  /** The button for a new chat. */
  action: ReactNode
  hrefOf: (chatId: string) => string
}

export function RecentChats({ action, hrefOf }: RecentChatsProps) {
  const chats = useRecentChats()
  return (
    <Panel title="Recent chats" action={action} isFlush>
      {chats.isPending && (
        <Loading label="Loading chats">
          <div className="flex flex-col gap-3 px-5 pb-5">
            <Skeleton className="h-5 w-3/5" />
            <Skeleton className="h-5 w-2/5" />
          </div>
        </Loading>
      )}
      {chats.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={chats.error} onRetry={chats.refetch} />
        </div>
      )}
      {chats.data?.length === 0 && <p className="px-5 pb-5 text-soft">Your chats will appear here.</p>}
      <ul className="divide-y divide-line">
        {chats.data?.map(({ id, title, updated_at }) => (
          <li key={id}>
            <HrefLink
              href={hrefOf(id)}
              className="flex items-baseline gap-4 px-5 py-3 transition-colors duration-150 hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 truncate">{title || 'Untitled'}</span>
              <span className="shrink-0 text-faint text-sm">
                <Time at={updated_at} />
              </span>
            </HrefLink>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
