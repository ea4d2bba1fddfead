/** A chat with a public link: read-only, for anybody, with nothing that needs an account. */
import type { Message, PublicChat } from '@chancery/contract/chats/chats.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Time } from '#ui/values/time.tsx'
import { publicChatQuery } from '../api.ts'
import { SharedSkeleton } from './shared-chat.tsx'

interface History {
  currentId: string | null
  messages: Record<string, Message>
}

interface PublicChatViewProps {
  token: string
  /** Shown at the end of the header. */
  aside: ReactNode
  /** The chat screen decides how messages are rendered. */
  children: (history: History) => ReactNode
}

const historyOf = ({ messages }: PublicChat): History => {
  const linked = messages.map(({ model, ...message }, index) => {
    const next = messages[index + 1]
    const links = { parentId: messages[index - 1]?.id ?? null, childrenIds: next ? [next.id] : [] }
    return [message.id, { ...message, ...links, done: true, ...(model !== null && { model }) }] as const
  })
  return { currentId: messages.at(-1)?.id ?? null, messages: Object.fromEntries(linked) }
}

export function PublicChatView({ token, aside, children }: PublicChatViewProps) {
  const chat = useQuery(publicChatQuery(token))
  const history = useMemo(() => chat.data && historyOf(chat.data), [chat.data])
  if (chat.isPending) return <SharedSkeleton />
  if (chat.isError || !history) {
    const isGone = chat.error instanceof ApiError && chat.error.status === 404
    return (
      <div className="m-auto w-full max-w-lg p-6">
        <PageTitle>Shared chat</PageTitle>
        <h1 className="sr-only">Shared chat</h1>
        {isGone ? (
          <Empty title="This link is invalid or has expired" hint="The owner may have stopped sharing this chat." />
        ) : (
          <ErrorPanel error={chat.error} onRetry={chat.refetch} />
        )}
      </div>
    )
  }
  const { title, author, shared_at } = chat.data
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <header className="flex items-center justify-between gap-6 border-b px-4 py-3 sm:px-6">
        <div className="min-w-0">
          <h1 className="truncate font-medium font-serif text-lg">{title}</h1>
          <p className="text-faint text-sm">
            {author === null ? 'Shared' : `Shared by ${author},`} <Time at={shared_at} />
          </p>
        </div>
        {aside}
      </header>
      {children(history)}
    </>
  )
}
