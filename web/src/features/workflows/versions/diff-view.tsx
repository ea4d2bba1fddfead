/**
 * Two sides of a workflow on one canvas: green is added, red is removed, yellow is changed, each with a label. The
 * selected change is shown in detail beside it.
 */
import type { DiffSide } from '@chancery/contract/workflows/workflows.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { GraphView } from '../graph/graph-view.tsx'
import { useStart } from '../triggers/use-start.ts'
import { ChangeDetails } from './change-details.tsx'
import { ChangeList } from './change-list.tsx'
import { shownChange, stepChange } from './changes.ts'
import { DiffLegend } from './diff-legend.tsx'
import { useComparison } from './use-comparison.ts'

interface DiffViewProps {
  workflowId: string
  /** A version's ID or number, or `draft`. */
  from: string
  to: string
  /** The selected change: a node's ID, or the key of edges or settings. */
  selected: string | undefined
  onSelect: (key: string | undefined) => void
  onTriggers: () => void
  /** Shown if nothing differs. */
  same: ReactNode
}

export function DiffView({ workflowId, from, to, selected: chosen, onSelect, onTriggers, same }: DiffViewProps) {
  const start = useStart(workflowId)
  const { diff, before, after, union, changes, failed } = useComparison(workflowId, from, to)
  const selected = shownChange(changes, chosen)
  const step = useCallback((by: 1 | -1) => onSelect(stepChange(changes, selected, by)), [changes, selected, onSelect])
  useShortcuts(
    useMemo(
      () => [
        { keys: 'j', label: 'Next change', run: () => step(1) },
        { keys: 'k', label: 'Previous change', run: () => step(-1) },
      ],
      [step],
    ),
  )
  if (failed) return <ErrorPanel error={failed.error} onRetry={failed.refetch} />
  if (!diff || !union || !before || !after) return <DiffSkeleton />
  if (changes.length === 0) return <Empty title="No changes" hint={same} />

  const index = changes.findIndex(({ key }) => key === selected)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <DiffLegend diff={diff} />
        <Walk at={index} of={changes.length} onStep={step} />
      </div>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <GraphView
          key={`${nameOf(diff.from)}/${nameOf(diff.to)}`}
          {...union}
          start={start}
          onStart={onTriggers}
          label="Changes on the graph"
          isInPage
          selectedId={selected}
          onSelect={onSelect}
          className="h-96 overflow-hidden rounded-panel border lg:h-[32rem]"
        />
        <div className="flex min-w-0 flex-col gap-4 lg:max-h-[32rem] lg:overflow-y-auto">
          <ChangeList changes={changes} selected={selected} onSelect={onSelect} />
          <ChangeDetails key={selected} change={changes[index]} selected={selected} before={before} after={after} />
        </div>
      </div>
    </div>
  )
}

/** Other sides make a different picture, which is fitted again. */
const nameOf = (side: DiffSide) => (side.type === 'Draft' ? side.graph_hash : side.id)

interface WalkProps {
  /** Below zero while none is selected. */
  at: number
  of: number
  onStep: (by: 1 | -1) => void
}

const Walk = ({ at, of, onStep }: WalkProps) => (
  <div className="flex items-center gap-1">
    <span aria-live="polite" className="figures mr-2 text-soft text-sm">
      {at < 0 ? `${of} ${of === 1 ? 'change' : 'changes'}` : `Change ${at + 1} of ${of}`}
    </span>
    <IconButton label="Previous change" title="Previous change (K)" icon={ChevronLeft} onClick={() => onStep(-1)} />
    <IconButton label="Next change" title="Next change (J)" icon={ChevronRight} onClick={() => onStep(1)} />
  </div>
)

const DiffSkeleton = () => (
  <Loading label="Comparing">
    <Skeleton className="h-5 w-80 max-w-full" />
    <div className="mt-4 grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Skeleton className="h-96 rounded-panel lg:h-[32rem]" />
      <Skeleton className="h-64 rounded-panel" />
    </div>
  </Loading>
)
