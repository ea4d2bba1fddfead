/** Pinned chats from all folders. Hidden if there are none. */
import { useId } from 'react'
import { cx } from '#ui/class-names.ts'
import { useChatItems } from '../rows/chat-items.tsx'
import { ChatRow } from '../rows/chat-row.tsx'
import { useDrop } from '../rows/drag.ts'
import { SectionHead } from '../rows/list-states.tsx'
import { useSidebar } from '../state/sidebar-context.ts'

const filter = { pinned: true }

export function PinnedSection() {
  const { items } = useChatItems(filter)
  const { actions } = useSidebar()
  const id = useId()
  const { isOver, handlers } = useDrop(
    (load) => load.kind === 'chat' && !load.chat.pinned,
    (load) => load.kind === 'chat' && actions.pin(load.chat, true),
  )
  if (items.length === 0) return null
  return (
    <section aria-labelledby={id} className={cx('rounded-control', isOver && 'bg-seal-wash')} {...handlers}>
      <SectionHead id={id}>Pinned</SectionHead>
      <ul>
        {items.map((chat) => (
          <ChatRow key={chat.id} chat={chat} />
        ))}
      </ul>
    </section>
  )
}
