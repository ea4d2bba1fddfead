/** Actions for the whole list: tags, archive, import and export. */
import { useQuery } from '@tanstack/react-query'
import { Archive, ArrowDownUp, ListFilter, Share2, Tag } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { Menu, MenuItem, MenuLine, SubMenu } from '#ui/overlay/menu.tsx'
import { tagsQuery } from '../api.ts'
import { useSidebar } from '../state/sidebar-context.ts'
import type { View } from './filtered-view.tsx'

export function ListMenu({ onView }: { onView: (view: View) => void }) {
  const { show } = useSidebar()
  return (
    <Menu trigger={<IconButton label="More options" icon={ListFilter} />}>
      <SubMenu icon={Tag} label="Filter by tag">
        <TagItems onView={onView} />
      </SubMenu>
      <MenuItem icon={Archive} onSelect={() => onView({ kind: 'archived' })}>
        Archived chats
      </MenuItem>
      <MenuItem icon={Share2} onSelect={() => onView({ kind: 'shared' })}>
        Shared chats
      </MenuItem>
      <MenuLine />
      <MenuItem icon={ArrowDownUp} onSelect={() => show({ kind: 'transfer' })}>
        Import and export
      </MenuItem>
    </Menu>
  )
}

function TagItems({ onView }: { onView: (view: View) => void }) {
  const { data: tags = [] } = useQuery(tagsQuery)
  if (tags.length === 0) {
    return <p className="max-w-52 px-2.5 py-1.5 text-faint text-sm">No tags yet. Add one from a chat’s menu.</p>
  }
  return tags.map(({ name, chat_count }) => (
    <MenuItem key={name} onSelect={() => onView({ kind: 'tag', tag: name })}>
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="figures text-faint text-xs">{chat_count}</span>
    </MenuItem>
  ))
}
