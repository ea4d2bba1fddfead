/** The row of a folder: opens and closes it, and has its menu. */
import { ChevronRight, CornerLeftUp, Ellipsis, Folder, FolderOpen, FolderPlus, Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import type { FolderNode } from '../folder-tree.ts'
import { indentOf } from '../rows/chat-row.tsx'
import { startDrag } from '../rows/drag.ts'

interface FolderRowProps {
  node: FolderNode
  isOpen: boolean
  isOver: boolean
  onToggle: () => void
  onRename: () => void
  onAddChild: () => void
  onLift: () => void
  onDelete: () => void
}

export function FolderRow({ node: { folder, depth }, isOpen, isOver, onToggle, ...menu }: FolderRowProps) {
  const Icon = isOpen ? FolderOpen : Folder
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is an alternative; the menu offers the same actions
    <div
      draggable
      onDragStart={(event) => startDrag(event, { kind: 'folder', folder })}
      style={indentOf(depth)}
      className={cx(
        'group relative flex h-8 items-center rounded-control text-soft transition-colors duration-150',
        isOver ? 'bg-seal-wash text-ink' : 'focus-within:bg-sunken hover:bg-sunken hover:text-ink',
      )}
    >
      <button
        type="button"
        data-row
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-control pr-2.5 pl-1 text-left group-focus-within:pr-8 group-hover:pr-8 [@media(pointer:coarse)]:pr-8 focus-visible:outline-offset-[-2px]"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 text-faint transition-transform duration-150', isOpen && 'rotate-90')}
        />
        <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
        <span className="truncate">{folder.name}</span>
        {folder.chat_count > 0 && (
          <span className="figures ml-auto pl-2 text-faint text-xs group-hover:hidden group-focus-within:hidden">
            {folder.chat_count}
            <span className="sr-only"> chats</span>
          </span>
        )}
      </button>
      <FolderMenu name={folder.name} isNested={depth > 0} {...menu} />
    </div>
  )
}

interface FolderMenuProps extends Pick<FolderRowProps, 'onRename' | 'onAddChild' | 'onLift' | 'onDelete'> {
  name: string
  isNested: boolean
}

const FolderMenu = ({ name, isNested, onRename, onAddChild, onLift, onDelete }: FolderMenuProps) => (
  <Menu
    align="start"
    trigger={
      <IconButton
        label={`Actions for folder ${name}`}
        icon={Ellipsis}
        isTiny
        className="absolute inset-y-0 right-1 my-auto opacity-0 hover:bg-line focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 [@media(pointer:coarse)]:opacity-100"
      />
    }
  >
    <MenuItem icon={Pencil} onSelect={onRename}>
      Rename
    </MenuItem>
    <MenuItem icon={FolderPlus} onSelect={onAddChild}>
      New subfolder
    </MenuItem>
    {isNested && (
      <MenuItem icon={CornerLeftUp} onSelect={onLift}>
        Move to top level
      </MenuItem>
    )}
    <MenuLine />
    <MenuItem icon={Trash2} tone="bad" onSelect={onDelete}>
      Delete
    </MenuItem>
  </Menu>
)
