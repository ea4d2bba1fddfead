/** Every space: a named context that workflows and triggers stand in, for everybody or for its members. */
import { FolderKey } from 'lucide-react'
import type { ReactNode } from 'react'
import { counted } from '#lib/counted.ts'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { type SpaceItem, useSpaces } from './api.ts'
import { ThingsPanel } from './things-panel.tsx'

interface SpacesPanelProps {
  /** Making one. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const SpacesPanel = ({ action, onOpen }: SpacesPanelProps) => (
  <ThingsPanel
    noun="space"
    title="Spaces"
    head="Space"
    hint="Named contexts for workflows and their runs. One with members is seen by these and by administrators only."
    icon={FolderKey}
    query={useSpaces()}
    columns={columns}
    empty={<Empty title="No spaces yet" hint="A space keeps what belongs together in one place." />}
    loss="Workflows and triggers that stand in it stay, outside of every space."
    action={action}
    onOpen={onOpen}
  />
)

const sayMembers = (count: number): string => (count === 0 ? 'Everybody' : counted(count, 'member'))

const columns: Column<SpaceItem>[] = [
  { head: 'Seen by', isPlain: true, cell: ({ member_ids }) => sayMembers(member_ids.length) },
]
