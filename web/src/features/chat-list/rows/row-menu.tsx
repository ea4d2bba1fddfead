/** All actions for a chat. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { useQuery } from '@tanstack/react-query'
import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  Ellipsis,
  Folder,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Tag,
  Trash2,
} from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Menu, MenuItem, MenuLine, SubMenu } from '#ui/overlay/menu.tsx'
import { foldersQuery } from '../api.ts'
import { nameOf } from '../chat-name.ts'
import { flatten, folderTree } from '../folder-tree.ts'
import { useSidebar } from '../state/sidebar-context.ts'

interface RowMenuProps {
  chat: ChatListItem
  isActive: boolean
  onRename: () => void
}

export function RowMenu({ chat, isActive, onRename }: RowMenuProps) {
  const trigger = (
    <IconButton
      label={`Actions for ${nameOf(chat)}`}
      icon={Ellipsis}
      isTiny
      className={cx(
        'absolute inset-y-0 right-1 my-auto hover:bg-line data-[state=open]:opacity-100 [@media(pointer:coarse)]:opacity-100',
        !isActive && 'opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100',
      )}
    />
  )
  return (
    <Menu trigger={trigger} align="start">
      <ChatMenuItems chat={chat} onRename={onRename} />
    </Menu>
  )
}

/** The same for a row of the list and for the open chat. */
export function ChatMenuItems({ chat, onRename }: Pick<RowMenuProps, 'chat' | 'onRename'>) {
  const { show, actions } = useSidebar()
  return (
    <>
      <MenuItem icon={Pencil} onSelect={onRename}>
        Rename
      </MenuItem>
      <MenuItem icon={chat.pinned ? PinOff : Pin} onSelect={() => actions.pin(chat, !chat.pinned)}>
        {chat.pinned ? 'Unpin' : 'Pin'}
      </MenuItem>
      <SubMenu icon={Folder} label="Move to folder">
        <FolderItems chat={chat} onMove={(folderId) => actions.move(chat, folderId)} />
      </SubMenu>
      <MenuItem icon={Tag} onSelect={() => show({ kind: 'tags', chat })}>
        Tags
      </MenuItem>
      <MenuLine />
      <MenuItem icon={Share2} onSelect={() => show({ kind: 'share', chat })}>
        Share
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => actions.clone(chat)}>
        Duplicate
      </MenuItem>
      <SubMenu icon={Download} label="Export">
        <MenuItem onSelect={() => actions.download(chat, 'md')}>Markdown</MenuItem>
        <MenuItem onSelect={() => actions.download(chat, 'txt')}>Plain text</MenuItem>
        <MenuItem onSelect={() => actions.print(chat)}>PDF</MenuItem>
        <MenuItem onSelect={() => actions.download(chat, 'json')}>JSON, all branches</MenuItem>
      </SubMenu>
      <MenuLine />
      <MenuItem icon={chat.archived ? ArchiveRestore : Archive} onSelect={() => actions.archive(chat, !chat.archived)}>
        {chat.archived ? 'Restore' : 'Archive'}
      </MenuItem>
      <MenuItem icon={Trash2} tone="bad" onSelect={() => actions.remove(chat)}>
        Delete
      </MenuItem>
    </>
  )
}

interface FolderItemsProps {
  chat: ChatListItem
  onMove: (folderId: string | null) => void
}

function FolderItems({ chat, onMove }: FolderItemsProps) {
  const { data: folders = [] } = useQuery(foldersQuery)
  const others = flatten(folderTree(folders)).filter(({ folder }) => folder.id !== chat.folder_id)
  return (
    <>
      {chat.folder_id !== null && <MenuItem onSelect={() => onMove(null)}>Remove from folder</MenuItem>}
      {others.map(({ folder, depth }) => (
        <MenuItem key={folder.id} onSelect={() => onMove(folder.id)}>
          <span className="truncate" style={{ paddingLeft: `${depth * 0.75}rem` }}>
            {folder.name}
          </span>
        </MenuItem>
      ))}
      {folders.length === 0 && (
        <p className="px-2.5 py-1.5 text-faint text-sm">No folders yet. Create one above the list.</p>
      )}
    </>
  )
}
