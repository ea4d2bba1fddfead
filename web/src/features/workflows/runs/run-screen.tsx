/** One run: its graph with live states, its steps over time, and the input and output of each. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Run } from '@chancery/contract/workflows/runs.ts'
import { useEffect, useMemo, useRef } from 'react'
import { useFocusWhenLost } from '#lib/keyboard/use-focus-when-lost.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { GraphView } from '../graph/graph-view.tsx'
import { useRunGraph } from './api.ts'
import { RunHeader } from './run-header.tsx'
import type { RunLinks } from './run-links.ts'
import { edgeMarks, nodeMarks, reachedEntries } from './run-marks.ts'
import { RunPanel } from './run-panel.tsx'
import { startOfRun } from './run-reason.tsx'
import { StepPanel } from './step-panel.tsx'
import { StepTimeline } from './step-timeline.tsx'
import { useLiveRun } from './use-live-run.ts'

interface RunScreenProps {
  workflowId: string
  runId: string
  nodeId: string | undefined
  links: RunLinks
  onNode: (nodeId: string | undefined) => void
  onTriggers: () => void
  onRetried: (runId: string) => void
  /** The run belongs to another workflow than the one in the URL. */
  onElsewhere: (workflowId: string) => void
}

export function RunScreen({ workflowId, runId, onElsewhere, ...rest }: RunScreenProps) {
  const { query, isLive, isLost } = useLiveRun(runId)
  const run = query.data
  const graph = useRunGraph(runId, run?.workflow_id === workflowId)
  const isElsewhere = run !== undefined && run.workflow_id !== workflowId
  useEffect(() => {
    if (isElsewhere) onElsewhere(run.workflow_id)
  }, [isElsewhere, run, onElsewhere])
  const failed = query.isError && run === undefined ? query : graph.isError ? graph : undefined
  if (failed)
    return (
      <div className="p-6">
        <ErrorPanel error={failed.error} onRetry={failed.refetch} />
      </div>
    )
  if (run === undefined || graph.data === undefined) return <RunSkeleton />
  return <Opened {...rest} run={run} graph={graph.data} isLive={isLive} isLost={isLost} />
}

type OpenedProps = Pick<RunScreenProps, 'nodeId' | 'links' | 'onNode' | 'onTriggers' | 'onRetried'> & {
  run: Run
  graph: Graph
  isLive: boolean
  isLost: boolean
}

function Opened({ run, graph, isLive, isLost, nodeId, links, onNode, onTriggers, onRetried }: OpenedProps) {
  const marks = useMemo(() => nodeMarks(graph, run), [graph, run])
  const outputs = useMemo(() => edgeMarks(graph, run), [graph, run])
  const start = useMemo(() => startOfRun(run), [run])
  const entries = useMemo(() => reachedEntries(graph, run), [graph, run])
  const node = graph.nodes.find(({ id }) => id === nodeId)
  const panel = useRef<HTMLElement>(null)
  useFocusWhenLost(panel, node?.id)
  return (
    <div className="flex min-h-0 flex-1 flex-col max-lg:overflow-y-auto">
      <RunHeader run={run} isLost={isLost} links={links} onRetried={onRetried} />
      <div className="flex min-h-0 flex-1 max-lg:flex-none max-lg:flex-col">
        <div className="flex min-w-0 flex-1 flex-col">
          <GraphView
            graph={graph}
            marks={marks}
            edgeMarks={outputs}
            start={start}
            entries={entries}
            onStart={onTriggers}
            selectedId={nodeId}
            onSelect={onNode}
            label="Run graph"
            className="min-h-64 flex-1 max-lg:h-72 max-lg:flex-none"
          />
          <StepTimeline run={run} isLive={isLive} nodeId={node?.id} onNode={onNode} />
        </div>
        <aside
          ref={panel}
          tabIndex={-1}
          aria-label={node ? `Step ${node.name}` : 'Run'}
          className="flex shrink-0 flex-col overflow-y-auto border-l bg-surface outline-none max-lg:border-t max-lg:border-l-0 lg:w-[25rem]"
        >
          {node ? (
            <StepPanel key={node.id} run={run} node={node} links={links} onClose={() => onNode(undefined)} />
          ) : (
            <RunPanel run={run} isLive={isLive} links={links} onNode={onNode} />
          )}
        </aside>
      </div>
    </div>
  )
}

const RunSkeleton = () => (
  <Loading label="Loading run">
    <div className="flex items-center gap-3 border-b px-4 py-3 sm:px-6">
      <Skeleton className="h-6 w-24" />
      <Skeleton className="h-4 w-72 max-w-full" />
    </div>
    <div className="flex gap-6 p-6 max-lg:flex-col">
      <Skeleton className="h-[55vh] flex-1 rounded-panel" />
      <Skeleton className="h-[55vh] rounded-panel lg:w-[25rem]" />
    </div>
  </Loading>
)
