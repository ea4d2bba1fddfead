/** The list filtered by a tag, the archive, or what is shared. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ChatFilter } from '#data/chat-keys.ts'
import { IconButton } from '#ui/button/button.tsx'
import { sharesQuery } from '../api.ts'
import { ChatItems, useChatItems } from '../rows/chat-items.tsx'
import { ChatRow } from '../rows/chat-row.tsx'
import { ListFailure, ListNote, RowsSkeleton } from '../rows/list-states.tsx'

export type View = { kind: 'all' } | { kind: 'archived' } | { kind: 'shared' } | { kind: 'tag'; tag: string }

interface FilteredViewProps {
  view: Exclude<View, { kind: 'all' }>
  onLeave: () => void
}

const nameOf = (view: FilteredViewProps['view']): string => {
  if (view.kind === 'tag') return `Tagged “${view.tag}”`
  return view.kind === 'archived' ? 'Archived' : 'Shared'
}

export function FilteredView({ view, onLeave }: FilteredViewProps) {
  const name = nameOf(view)
  return (
    <section aria-label={name}>
      <div className="mb-1 flex h-9 items-center justify-between rounded-control bg-sunken pr-1.5 pl-2.5">
        <h3 className="truncate font-medium text-sm">{name}</h3>
        <IconButton label="Show all chats" icon={X} isTiny onClick={onLeave} />
      </div>
      {view.kind === 'shared' && <SharedItems />}
      {view.kind === 'archived' && (
        <Items filter={{ archived: true }} empty="No archived chats. Archive a chat from its menu to move it here." />
      )}
      {view.kind === 'tag' && <Items filter={{ tag: view.tag }} empty="No chats with this tag." />}
    </section>
  )
}

function Items({ filter, empty }: { filter: ChatFilter; empty: ReactNode }) {
  const list = useChatItems(filter)
  return (
    <ChatItems list={list} empty={<ListNote>{empty}</ListNote>}>
      <Rows items={list.items} />
    </ChatItems>
  )
}

function SharedItems() {
  const shares = useQuery(sharesQuery)
  if (shares.isPending) return <RowsSkeleton />
  if (shares.isError) return <ListFailure error={shares.error} onRetry={shares.refetch} />
  if (shares.data.length === 0) return <ListNote>No shared chats. Share a chat from its menu.</ListNote>
  return <Rows items={shares.data} />
}

const Rows = ({ items }: { items: readonly ChatListItem[] }) => (
  <ul>
    {items.map((chat) => (
      <ChatRow key={chat.id} chat={chat} />
    ))}
  </ul>
)
