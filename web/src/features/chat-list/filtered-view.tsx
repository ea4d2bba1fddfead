/** The list filtered by a tag, or the archive. */
import { X } from 'lucide-react'
import { IconButton } from '#ui/button.tsx'
import { ChatItems, useChatItems } from './chat-items.tsx'
import { ChatRow } from './chat-row.tsx'
import { ListNote } from './list-states.tsx'

export type View = { kind: 'all' } | { kind: 'archived' } | { kind: 'tag'; tag: string }

export function FilteredView({ view, onLeave }: { view: Exclude<View, { kind: 'all' }>; onLeave: () => void }) {
  const list = useChatItems(view.kind === 'archived' ? { archived: true } : { tag: view.tag })
  const name = view.kind === 'archived' ? 'Archived' : `Tagged “${view.tag}”`
  const empty =
    view.kind === 'archived'
      ? 'No archived chats. Archive a chat from its menu to move it here.'
      : 'No chats with this tag.'
  return (
    <section aria-label={name}>
      <div className="mb-1 flex h-9 items-center justify-between rounded-control bg-sunken pr-1.5 pl-2.5">
        <h3 className="truncate font-medium text-sm">{name}</h3>
        <IconButton label="Show all chats" icon={X} isTiny onClick={onLeave} />
      </div>
      <ChatItems list={list} empty={<ListNote>{empty}</ListNote>}>
        <ul>
          {list.items.map((chat) => (
            <ChatRow key={chat.id} chat={chat} />
          ))}
        </ul>
      </ChatItems>
    </section>
  )
}
