/** Actions for several nodes or an edge, which have no settings panel. */
import { CopyPlus, Trash2 } from 'lucide-react'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import type { Selection } from '../state/editor-state.ts'

interface SelectionBarProps {
  selection: Selection
  onDuplicate: () => void
  onDelete: () => void
}

export function SelectionBar({ selection: { nodes, edges }, onDuplicate, onDelete }: SelectionBarProps) {
  if (nodes.size < 2 && (nodes.size === 1 || edges.size === 0)) return null
  const counts = [nodes.size > 0 && counted(nodes.size, 'node'), edges.size > 0 && counted(edges.size, 'edge')]
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="absolute bottom-4 left-1/2 z-10 flex -translate-x-1/2 animate-rise items-center gap-1 rounded-panel bg-raised py-1 pr-1 pl-3 shadow-float"
    >
      <p className="mr-2 whitespace-nowrap text-sm text-soft">{counts.filter(Boolean).join(' and ')} selected</p>
      {nodes.size > 0 && (
        <Button size="small" look="quiet" icon={CopyPlus} onClick={onDuplicate}>
          Duplicate
        </Button>
      )}
      <Button size="small" look="quiet" icon={Trash2} onClick={onDelete}>
        Delete
      </Button>
    </div>
  )
}
