/** One chat in the list: a link with its menu. It can be dragged to a folder. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, memo, useState } from 'react'
import { formatExact } from '#lib/time/times.ts'
import { cx } from '#ui/class-names.ts'
import { Badge } from '#ui/values/badge.tsx'
import { nameOf } from '../chat-name.ts'
import { useSidebar } from '../state/sidebar-context.ts'
import { startDrag } from './drag.ts'
import { RenameField } from './rename-field.tsx'
import { RowMenu } from './row-menu.tsx'

/** The keys of a row, as the help lists them. */
export const rowKeyLabels = { F2: 'Rename chat', Delete: 'Delete chat' } as const

interface ChatRowProps {
  chat: ChatListItem
  /** Its depth in the folder tree. */
  depth?: number
}

export const ChatRow = memo(function ChatRow({ chat, depth = 0 }: ChatRowProps) {
  const { activeId, hrefOf, onGo, actions } = useSidebar()
  const [isRenaming, setRenaming] = useState(false)
  const isActive = chat.id === activeId
  const startRename = () => setRenaming(true)
  const remove = () => actions.remove(chat)
  const keys: Record<keyof typeof rowKeyLabels, () => void> = { F2: startRename, Delete: remove }
  const onKeyDown = ({ key }: KeyboardEvent) => new Map(Object.entries(keys)).get(key)?.()
  const rename = (title: string) => {
    setRenaming(false)
    if (title !== '' && title !== chat.title) actions.rename(chat, title)
  }
  if (isRenaming) {
    return (
      <li style={indentOf(depth)}>
        <RenameField label="Chat title" value={chat.title} maxLength={500} onDone={rename} />
      </li>
    )
  }
  return (
    <li
      draggable
      onDragStart={(event) => startDrag(event, { kind: 'chat', chat })}
      style={indentOf(depth)}
      className={cx(
        'group relative flex h-8 items-center rounded-control transition-colors duration-150',
        isActive ? 'bg-surface shadow-[0_0_0_1px_var(--line)]' : 'focus-within:bg-sunken hover:bg-sunken',
      )}
    >
      <Link
        to={hrefOf(chat.id)}
        data-row
        draggable={false}
        aria-current={isActive ? 'page' : undefined}
        title={`${nameOf(chat)}\n${formatExact(new Date(chat.updated_at * 1000))}`}
        onClick={onGo}
        onKeyDown={onKeyDown}
        className={cx(
          'flex h-full min-w-0 flex-1 items-center rounded-control pl-2.5 focus-visible:outline-offset-[-2px]',
          isActive
            ? 'pr-8 font-medium text-ink'
            : 'pr-2.5 text-soft group-focus-within:pr-8 group-hover:pr-8 group-hover:text-ink',
          '[@media(pointer:coarse)]:pr-8',
        )}
      >
        <span className="truncate">{nameOf(chat)}</span>
        {chat.is_public && (
          <span className="ml-auto pl-2">
            <Badge>Public</Badge>
          </span>
        )}
      </Link>
      <RowMenu chat={chat} isActive={isActive} onRename={startRename} />
    </li>
  )
})

export const indentOf = (depth: number) => (depth === 0 ? undefined : { marginLeft: `${depth * 1.25}rem` })
