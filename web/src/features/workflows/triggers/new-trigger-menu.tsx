/** Adds a trigger: asks for its kind, and opens the dialog for it. */
import { Plus } from 'lucide-react'
import { Button } from '#ui/button/button.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { kindIcons } from './trigger-labels.ts'

const kinds = [
  { kind: 'event', label: 'On an event' },
  { kind: 'cron', label: 'On a schedule' },
  { kind: 'webhook', label: 'On a webhook' },
] as const

/** `onOpen` is called with what `TriggerDialog` opens. */
export const NewTriggerMenu = ({ onOpen }: { onOpen: (id: string) => void }) => (
  <span className="relative">
    <Menu trigger={<Button icon={Plus}>New trigger</Button>}>
      {kinds.map(({ kind, label }) => (
        <MenuItem key={kind} icon={kindIcons[kind]} onSelect={() => onOpen(`new-${kind}`)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  </span>
)
