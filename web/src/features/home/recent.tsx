/** The chats and documents that the viewer worked on last. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { HrefLink } from '#ui/button/href-link.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Time } from '#ui/values/time.tsx'
import { useRecentChats, useRecentDocuments } from './api.ts'

interface RecentProps {
  /** The button for a new one. */
  action: ReactNode
  hrefOf: (id: string) => string
}

export const RecentChats = (props: RecentProps) => (
  <Recent title="Recent chats" empty="Your chats will appear here." query={useRecentChats()} {...props} />
)

export const RecentDocuments = (props: RecentProps) => (
  <Recent
    title="Recent documents"
    empty="Documents you send for signature will appear here."
    query={useRecentDocuments()}
    {...props}
  />
)

interface Item {
  id: string
  title: string
  at: number | string
}

interface RecentListProps extends RecentProps {
  title: string
  empty: string
  query: UseQueryResult<Item[]>
}

function Recent({ title, empty, query, action, hrefOf }: RecentListProps) {
  return (
    <Panel title={title} action={action} isFlush>
      {query.isPending && (
        <Loading label={`Loading ${title.toLowerCase()}`}>
          <div className="flex flex-col gap-3 px-5 pb-5">
            <Skeleton className="h-5 w-3/5" />
            <Skeleton className="h-5 w-2/5" />
          </div>
        </Loading>
      )}
      {query.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={query.error} onRetry={query.refetch} />
        </div>
      )}
      {query.data?.length === 0 && <p className="px-5 pb-5 text-soft">{empty}</p>}
      <ul className="divide-y divide-line">
        {query.data?.map(({ id, title: name, at }) => (
          <li key={id}>
            <HrefLink
              href={hrefOf(id)}
              className="flex items-baseline gap-4 px-5 py-3 transition-colors duration-150 hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 truncate">{name || 'Untitled'}</span>
              <span className="shrink-0 text-faint text-sm">
                <Time at={at} />
              </span>
            </HrefLink>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
