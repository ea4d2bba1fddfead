/** Chats outside of folders, by day. Dropping a chat here removes it from its folder or unpins it. */
import { type ReactNode, useId } from 'react'
import { cx } from '#ui/class-names.ts'
import { ChatItems, useChatItems } from '../rows/chat-items.tsx'
import { ChatRow } from '../rows/chat-row.tsx'
import { useDrop } from '../rows/drag.ts'
import { ListNote, SectionHead } from '../rows/list-states.tsx'
import { useSidebar } from '../state/sidebar-context.ts'
import { groupByDay } from './group-by-day.ts'

const filter = { pinned: false }

export function RecentSection() {
  const list = useChatItems(filter)
  const { actions } = useSidebar()
  const { isOver, handlers } = useDrop(
    (load) => load.kind === 'chat' && (load.chat.folder_id !== null || load.chat.pinned),
    (load) => {
      if (load.kind !== 'chat') return
      if (load.chat.folder_id === null) actions.pin(load.chat, false)
      else actions.move(load.chat, null)
    },
  )
  const loose = list.items.filter(({ folder_id }) => folder_id === null)
  const groups = groupByDay(loose, new Date())
  return (
    <div className={cx('flex flex-1 flex-col gap-3 rounded-control pb-4', isOver && 'bg-seal-wash')} {...handlers}>
      <ChatItems list={list} empty={<ListNote>Your chats will appear here.</ListNote>}>
        {groups.map(({ label, items }) => (
          <DaySection key={label} label={label}>
            {items.map((chat) => (
              <ChatRow key={chat.id} chat={chat} />
            ))}
          </DaySection>
        ))}
      </ChatItems>
    </div>
  )
}

function DaySection({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id}>{label}</SectionHead>
      <ul>{children}</ul>
    </section>
  )
}
