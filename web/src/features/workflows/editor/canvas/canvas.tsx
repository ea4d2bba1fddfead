/** The canvas: nodes that can be dragged, connected and selected. It draws the graph and reports the user's changes. */
import '@xyflow/react/dist/base.css'
import '../../graph/flow.css'
import type { NodeType } from '@chancery/contract/workflows/graph.ts'
import {
  Background,
  type Connection,
  Controls,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  type OnConnectEnd,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import { type DragEvent, useCallback, useRef, useState } from 'react'
import { FitInitialView } from '../../graph/fit-initial-view.tsx'
import { type FlowEdge, handleName } from '../../graph/flow-elements.ts'
import { FollowNode } from '../../graph/follow-node.tsx'
import { fitOptions, flowNodeTypes, maxCards, minimapColour } from '../../graph/graph-view.tsx'
import type { FlowNode, Start } from '../../graph/start-node.ts'
import { nodeKinds } from '../../kinds/node-kinds.ts'
import { onlyNode } from '../state/editor-state.ts'
import { canJoin, type Join, joinNodes, moveNodes, type Point, rejoinNodes } from '../state/graph-edits.ts'
import type { Editing } from '../use-editing.ts'
import { changedSelection } from './changed-selection.ts'
import { type Marked, useElements } from './use-elements.ts'

/** The MIME type of a node dragged from the palette. */
export const dragFormat = 'application/x-chancery-node'

interface CanvasProps {
  editing: Editing
  start: Start
  marked: Marked
  isTouch: boolean
  onDropNode: (type: NodeType, at: Point) => void
  /** An edge was dropped on empty canvas: ask which node to add there. */
  onLooseEnd: (from: Omit<Join, 'target'>, at: Point) => void
}

const joinOf = ({
  source,
  target,
  sourceHandle,
}: Pick<Connection, 'source' | 'target'> & { sourceHandle?: string | null }): Join => ({
  source,
  target,
  handle: handleName(sourceHandle),
})

export function Canvas({ editing, start, marked, isTouch, onDropNode, onLooseEnd }: CanvasProps) {
  const { graph, selection, edit, changeSelection } = editing
  const { screenToFlowPosition } = useReactFlow()
  const isTheirs = useRef(false)
  const { dragged, onNodesChange } = useNodeChanges(editing)
  const { nodes, edges } = useElements({ graph, start, selection, marked, dragged })
  const onEdgesChange = (changes: EdgeChange<FlowEdge>[]) =>
    changeSelection((now) => changedSelection(now, [], changes))
  const onConnectEnd: OnConnectEnd = (event, { isValid, fromNode, fromHandle, toNode }) => {
    if (isValid || toNode || !fromNode || fromHandle?.type !== 'source') return
    const point = 'clientX' in event ? event : event.changedTouches[0]
    if (!point) return
    const screen = { x: point.clientX, y: point.clientY }
    onLooseEnd({ source: fromNode.id, handle: handleName(fromHandle.id) }, screenToFlowPosition(screen))
  }
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(dragFormat)
    if (!Object.hasOwn(nodeKinds, type)) return
    event.preventDefault()
    onDropNode(type as NodeType, screenToFlowPosition({ x: event.clientX, y: event.clientY }))
  }
  return (
    <ReactFlow
      className="chancery-flow"
      aria-label="Graph"
      nodes={nodes}
      edges={edges}
      nodeTypes={flowNodeTypes}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      onConnect={(connection) => edit((now) => joinNodes(now, joinOf(connection)))}
      onConnectEnd={onConnectEnd}
      onReconnect={(old, connection) => edit((now) => rejoinNodes(now, old.id, joinOf(connection)))}
      isValidConnection={(connection) => canJoin(graph, joinOf(connection))}
      onDrop={onDrop}
      onDragOver={(event) => {
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      }}
      nodesDraggable={!isTouch}
      nodesConnectable={!isTouch}
      selectNodesOnDrag={false}
      selectionMode={SelectionMode.Partial}
      multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
      deleteKeyCode={null}
      connectionRadius={28}
      onlyRenderVisibleElements={nodes.length > maxCards}
      minZoom={0.05}
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={20} size={1.5} />
      <Controls showInteractive={false} fitViewOptions={fitOptions} />
      <FitInitialView isTheirs={isTheirs} around={[...selection.nodes]} isOnce />
      <KeepInView id={onlyNode(selection)} />
      {graph.nodes.length > 0 && (
        <MiniMap
          className="max-lg:hidden"
          pannable
          zoomable
          nodeColor={minimapColour}
          style={{ width: 150, height: 96 }}
        />
      )}
    </ReactFlow>
  )
}

/** The view is fitted again when the settings panel takes up part of the canvas. */
function KeepInView({ id }: { id: string | undefined }) {
  const width = useStore((flow) => flow.width)
  const height = useStore((flow) => flow.height)
  return <FollowNode key={`${width} ${height}`} id={id} />
}

/** A drag is shown live and becomes one change when it ends; arrow keys move step by step. */
function useNodeChanges({ edit, changeSelection }: Editing) {
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>(new Map())
  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      changeSelection((now) => changedSelection(now, changes, []))
      const moves = changes.flatMap((change) => (change.type === 'position' && change.position ? [change] : []))
      if (moves.length === 0) return
      const positions = new Map(moves.map(({ id, position }) => [id, position as Point]))
      if (moves.some(({ dragging }) => dragging)) return setDragged(positions)
      setDragged(new Map())
      edit((graph) => moveNodes(graph, positions), { kind: `move:${[...positions.keys()].join()}` })
    },
    [edit, changeSelection],
  )
  return { dragged, onNodesChange }
}
