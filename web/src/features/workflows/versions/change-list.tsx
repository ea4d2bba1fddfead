/** All changes by name; clicking one selects it. */
import { Settings2, Waypoints } from 'lucide-react'
import { cx } from '#ui/class-names.ts'
import { toneColours } from '../graph/marks.ts'
import type { Change, ChangeTone } from './changes.ts'

export const toneLabels: Record<ChangeTone, string> = { added: 'Added', removed: 'Removed', changed: 'Changed' }

interface ChangeListProps {
  changes: readonly Change[]
  selected: string | undefined
  onSelect: (key: string) => void
}

export const ChangeList = ({ changes, selected, onSelect }: ChangeListProps) => (
  <nav aria-label="Changes" className="shrink-0 rounded-panel border bg-surface">
    <ul className="max-h-56 overflow-y-auto p-1">
      {changes.map((change) => (
        <li key={change.key}>
          <button
            type="button"
            aria-current={change.key === selected || undefined}
            onClick={() => onSelect(change.key)}
            className={cx(
              'flex w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-left hover:bg-sunken',
              'aria-[current=true]:bg-sunken aria-[current=true]:font-medium',
            )}
          >
            <Line change={change} />
          </button>
        </li>
      ))}
    </ul>
  </nav>
)

function Line({ change }: { change: Change }) {
  if (change.kind === 'node') {
    const colour = toneColours[change.tone]
    return (
      <>
        <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: colour }} />
        <span className="min-w-0 flex-1 truncate">{change.name}</span>
        <span className="shrink-0 text-xs" style={{ color: colour }}>
          {toneLabels[change.tone]}
        </span>
      </>
    )
  }
  const Icon = change.kind === 'edges' ? Waypoints : Settings2
  return (
    <>
      <Icon aria-hidden className="-ml-0.5 size-3.5 shrink-0 text-faint" />
      <span className="min-w-0 flex-1 truncate">{change.kind === 'edges' ? 'Edges' : 'Settings'}</span>
      <span className="figures shrink-0 text-faint text-xs">
        {change.kind === 'edges' ? change.added.length + change.removed.length : change.fields.length}
      </span>
    </>
  )
}
