/** The table cells of one trigger: name, what it listens for, state and actions. */
import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import { Ellipsis, Pencil, Play, Trash2 } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { Toggle } from '#ui/form/choices.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { isPaused, kindIcons, kindNames, triggerStatus, triggerSummary } from './trigger-labels.ts'
import { formatInZone } from './zones.ts'

interface Actions {
  fires: boolean
  onOpen: (id: string) => void
  onToggle: (trigger: Trigger) => void
  onResume: (trigger: Trigger) => void
  onDelete: (trigger: Trigger) => void
}

export const triggerColumns = (actions: Actions): Column<Trigger>[] => [
  { head: 'Trigger', cell: (trigger) => <Name trigger={trigger} onOpen={actions.onOpen} /> },
  { head: 'Starts on', isPlain: true, cell: (trigger) => <What trigger={trigger} /> },
  { head: 'Status', isPlain: true, cell: (trigger) => <State trigger={trigger} fires={actions.fires} /> },
  { head: 'Actions', isActions: true, cell: (trigger) => <Actions trigger={trigger} {...actions} /> },
]

function Name({ trigger: { id, kind, name }, onOpen }: { trigger: Trigger; onOpen: (id: string) => void }) {
  const Icon = kindIcons[kind]
  return (
    <span className="flex items-center gap-3">
      <Icon aria-hidden className="size-4 shrink-0 text-faint" />
      <span className="min-w-0">
        <button
          type="button"
          onClick={() => onOpen(id)}
          className="text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
        >
          {name}
        </button>
        <span className="block text-faint text-sm">{kindNames[kind]}</span>
      </span>
    </span>
  )
}

function What({ trigger }: { trigger: Trigger }) {
  return (
    <span className="block min-w-0">
      {triggerSummary(trigger)}
      {trigger.kind === 'event' && trigger.filter_expr !== null && (
        <code className="line-clamp-2 font-mono text-faint text-xs">{trigger.filter_expr}</code>
      )}
      {trigger.kind === 'cron' && (
        <span className="block text-faint text-sm">
          {trigger.timezone.replaceAll('_', ' ')}
          {trigger.next_times[0] !== undefined && (
            <span title={trigger.next_times.map((time) => formatInZone(time, trigger.timezone)).join('\n')}>
              {' '}
              · next <Time at={trigger.next_times[0]} />
            </span>
          )}
        </span>
      )}
    </span>
  )
}

function State({ trigger, fires }: { trigger: Trigger; fires: boolean }) {
  if (trigger.enabled && isPaused(trigger)) return <Paused at={trigger.paused_at ?? 0} reason={trigger.paused_reason} />
  const { label, tone } = triggerStatus(trigger, fires)
  return <Badge tone={tone}>{label}</Badge>
}

function Paused({ at, reason }: { at: number; reason: string | null }) {
  return (
    <span className="block min-w-0">
      <Badge tone="bad">Paused</Badge>
      <span className="mt-1 block text-faint text-sm">
        <Time at={at} /> · its filter kept failing
      </span>
      {reason !== null && <span className="line-clamp-3 break-words text-sm">{reason}</span>}
    </span>
  )
}

function Actions({ trigger, onOpen, onToggle, onResume, onDelete }: Actions & { trigger: Trigger }) {
  const { id, name, enabled } = trigger
  return (
    <span className="relative flex items-center justify-end gap-2 text-left">
      <Toggle label={`${name} is on`} isOn={enabled} onChange={() => onToggle(trigger)} />
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} />}>
        <MenuItem icon={Pencil} onSelect={() => onOpen(id)}>
          {trigger.kind === 'webhook' ? 'URL, secret and settings' : 'Edit'}
        </MenuItem>
        {trigger.enabled && isPaused(trigger) && (
          <MenuItem icon={Play} onSelect={() => onResume(trigger)}>
            Resume
          </MenuItem>
        )}
        <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(trigger)}>
          Delete
        </MenuItem>
      </Menu>
    </span>
  )
}
