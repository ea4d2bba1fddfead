/** The title of the open chat, with the menu of all its actions. */
import type { Chat, ChatListItem } from '@chancery/contract/chats/chats.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { Menu } from '#ui/overlay/menu.tsx'
import { RenameField } from '../rows/rename-field.tsx'
import { ChatMenuItems } from '../rows/row-menu.tsx'
import { findCached } from '../state/cached-lists.ts'
import { useSidebar } from '../state/sidebar-context.ts'
import { type ChatSidebarProps, Frame } from './chat-sidebar.tsx'

interface ChatTitleProps extends Omit<ChatSidebarProps, 'activeId'> {
  chat: Chat
}

export const ChatTitle = ({ chat, ...links }: ChatTitleProps) => (
  <Frame {...links} activeId={chat.id} onGo={() => undefined}>
    <Title chat={chat} />
  </Frame>
)

const itemOf = ({ id, title, updated_at, created_at, archived, pinned, folder_id, meta }: Chat): ChatListItem => ({
  id,
  title,
  updated_at,
  created_at,
  archived,
  pinned,
  folder_id,
  tags: meta.tags,
})

function Title({ chat }: { chat: Chat }) {
  const { actions } = useSidebar()
  const [isRenaming, setRenaming] = useState(false)
  const rename = (title: string) => {
    setRenaming(false)
    if (title !== '' && title !== chat.title) actions.rename(itemOf(chat), title)
  }
  if (isRenaming) {
    return (
      <>
        <h1 className="sr-only">{chat.title}</h1>
        <RenameField label="Chat title" value={chat.title} maxLength={500} onDone={rename} />
      </>
    )
  }
  return (
    <>
      <h1 className="min-w-0 truncate px-1 font-medium font-serif text-md">{chat.title}</h1>
      <Menu trigger={<IconButton label="Chat actions" icon={ChevronDown} isTiny />} align="start">
        <Items chat={chat} onRename={() => setRenaming(true)} />
      </Menu>
    </>
  )
}

/** Read when the menu opens: the list knows of pins, folders and tags that were changed in it. */
function Items({ chat, onRename }: { chat: Chat; onRename: () => void }) {
  const known = findCached(useQueryClient(), chat.id)
  return <ChatMenuItems chat={{ ...(known ?? itemOf(chat)), title: chat.title }} onRename={onRename} />
}
