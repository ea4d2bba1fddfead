/** A read-only graph: pan, zoom, select. Nodes are reachable by keyboard. */
import '@xyflow/react/dist/base.css'
import './flow.css'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import {
  Background,
  Controls,
  MiniMap,
  type NodeChange,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react'
import { useCallback, useMemo, useRef } from 'react'
import { cx } from '#ui/class-names.ts'
import { withLayout } from './auto-layout.ts'
import { FitInitialView } from './fit-initial-view.tsx'
import { flowElements } from './flow-elements.ts'
import { FollowNode } from './follow-node.tsx'
import { nodesToFocus, overviewZoom } from './initial-view.ts'
import { type NodeMark, type Tone, toneColours } from './marks.ts'
import { NodeCard } from './node-card.tsx'
import { StartCard } from './start-card.tsx'
import { type Entries, entriesOf, type FlowNode, type Start, startElements, startId } from './start-node.ts'

interface GraphViewProps {
  graph: Graph
  marks?: ReadonlyMap<string, NodeMark> | undefined
  edgeMarks?: ReadonlyMap<string, Tone> | undefined
  start: Start
  /** The nodes where a run begins, if they aren't simply those without an incoming edge. */
  entries?: Entries | undefined
  /** Opens the triggers. */
  onStart: () => void
  selectedId?: string | undefined
  onSelect?: ((nodeId: string | undefined) => void) | undefined
  label: string
  /** The page scrolls past it, so the wheel zooms only with Ctrl. */
  isInPage?: boolean | undefined
  className?: string | undefined
}

export const flowNodeTypes: NodeTypes = { card: NodeCard, start: StartCard }
export const fitOptions = { padding: 0.15, maxZoom: 1 }
/** Above this many cards, only visible ones are rendered, and only those are reachable by keyboard. */
export const maxCards = 80

export const minimapColour = ({ type, data }: FlowNode): string =>
  type === 'card' && data.mark !== undefined ? toneColours[data.mark.tone] : 'var(--rule)'

export function GraphView({
  graph,
  marks,
  edgeMarks,
  start,
  entries,
  onStart,
  selectedId,
  onSelect,
  label,
  isInPage = false,
  className,
}: GraphViewProps) {
  const isTheirs = useRef(false)
  const shown = useMemo(() => withLayout(graph), [graph])
  const priority = useMemo(() => (marks ? nodesToFocus(shown.nodes, marks) : []), [shown, marks])
  const { nodes, edges } = useMemo(() => {
    const drawn = flowElements(shown, { marks, edgeMarks, selectedId })
    const first = startElements(drawn.nodes, { start, entries: entries ?? entriesOf(shown) })
    return { nodes: [first.node, ...drawn.nodes], edges: [...first.edges, ...drawn.edges] }
  }, [shown, marks, edgeMarks, start, entries, selectedId])
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const chosen = changes.find((change) => change.type === 'select' && change.selected)
      if (chosen?.type !== 'select') return
      if (chosen.id === startId) onStart()
      else onSelect?.(chosen.id)
    },
    [onSelect, onStart],
  )
  return (
    <section aria-label={label} className={cx('relative min-h-64', className)}>
      <ReactFlowProvider>
        <ReactFlow
          className="chancery-flow"
          nodes={nodes}
          edges={edges}
          nodeTypes={flowNodeTypes}
          onNodesChange={onNodesChange}
          onMoveStart={(event) => {
            // The canvas emits no event for its own moves.
            if (event) isTheirs.current = true
          }}
          onPaneClick={() => onSelect?.(undefined)}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          elementsSelectable={onSelect !== undefined}
          deleteKeyCode={null}
          onlyRenderVisibleElements={nodes.length > maxCards}
          minZoom={0.05}
          proOptions={{ hideAttribution: true }}
          zoomOnScroll={!isInPage}
          preventScrolling={!isInPage}
        >
          <Background gap={20} size={1.5} />
          <Controls showInteractive={false} fitViewOptions={fitOptions} />
          <FitInitialView
            isTheirs={isTheirs}
            around={selectedId === undefined ? priority : [selectedId]}
            wholeFrom={overviewZoom}
          />
          <FollowNode id={selectedId} />
          <FollowNode id={selectedId === undefined ? priority[0] : undefined} unless={isTheirs} />
          {nodes.length > 4 && (
            <MiniMap
              className="max-sm:hidden"
              pannable
              zoomable
              nodeColor={minimapColour}
              style={{ width: 140, height: 90 }}
            />
          )}
        </ReactFlow>
      </ReactFlowProvider>
    </section>
  )
}
