/** The toolbar above the canvas: add, undo, redo, arrange, and the save status. */
import { Plus, Redo2, Settings2, Undo2, Waypoints } from 'lucide-react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Kbd } from '#ui/button/kbd.tsx'
import type { LocatedProblem } from '../state/problems.ts'
import type { Editing } from '../use-editing.ts'
import { ProblemsButton } from './problems-button.tsx'
import { SaveStatus } from './save-status.tsx'

interface ToolbarProps {
  editing: Editing
  problems: readonly LocatedProblem[]
  draftCount: number
  onAdd: () => void
  onTidy: () => void
  onSettings: () => void
  onGoTo: (problem: LocatedProblem) => void
}

export function Toolbar({ editing, problems, draftCount, onAdd, onTidy, onSettings, onGoTo }: ToolbarProps) {
  const { canUndo, canRedo, undo, redo, saveState, flush } = editing
  return (
    <div
      role="toolbar"
      aria-label="Editor"
      className="flex min-h-11 shrink-0 flex-wrap items-center gap-1 border-b bg-surface px-2 py-1 sm:px-3"
    >
      <Button size="small" icon={Plus} onClick={onAdd}>
        Add node
        <span className="max-sm:hidden">
          <Kbd keys="a" />
        </span>
      </Button>
      <span className="mx-1 h-5 w-px bg-line" />
      <IconButton label="Undo" icon={Undo2} disabled={!canUndo} onClick={undo} />
      <IconButton label="Redo" icon={Redo2} disabled={!canRedo} onClick={redo} />
      <IconButton label="Tidy up" icon={Waypoints} onClick={onTidy} />
      <IconButton label="Workflow settings" icon={Settings2} onClick={onSettings} />
      <div className="ml-auto flex items-center gap-1">
        <SaveStatus state={saveState} draftCount={draftCount} onRetry={() => void flush()} />
        <ProblemsButton problems={problems} onGoTo={onGoTo} />
      </div>
    </div>
  )
}
