/** All spaces: named groups of workflows and triggers, for everyone or for members only. */
import { FolderKey } from 'lucide-react'
import type { ReactNode } from 'react'
import { counted } from '#lib/text/counted.ts'
import { Empty } from '#ui/feedback/states.tsx'
import type { Column } from '#ui/table/table.tsx'
import { type SpaceItem, useSpaces } from './api.ts'
import { NamedPanel } from './named-panel.tsx'

interface SpacesPanelProps {
  /** Opens the dialog for a new space. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const SpacesPanel = ({ action, onOpen }: SpacesPanelProps) => (
  <NamedPanel
    noun="space"
    title="Spaces"
    head="Space"
    hint="Group workflows and their runs. A space with members is visible to those members and to admins only."
    icon={FolderKey}
    query={useSpaces()}
    columns={columns}
    empty={<Empty title="No spaces yet" hint="Use spaces to group workflows that belong together." />}
    loss="Workflows and triggers in this space are kept, but no longer belong to a space."
    action={action}
    onOpen={onOpen}
  />
)

const memberCountText = (count: number): string => (count === 0 ? 'Everyone' : counted(count, 'member'))

const columns: Column<SpaceItem>[] = [
  { head: 'Visible to', isPlain: true, cell: ({ member_ids }) => memberCountText(member_ids.length) },
]
