/** The settings panel for the selected node; nothing is shown for a selection of several. */
import { nothing, onlyNode } from '../state/editor-state.ts'
import type { LocatedProblem } from '../state/problems.ts'
import { TestSection } from '../test-node/test-section.tsx'
import type { Editing } from '../use-editing.ts'
import { useNodeActions } from '../use-node-actions.ts'
import { ConfigPanel } from './config-panel.tsx'

interface SelectedPanelProps {
  editing: Editing
  ownId: string
  hrefOf: (workflowId: string) => string
  problems: readonly LocatedProblem[]
  wanted: string | undefined
  onArrived: () => void
  onDuplicate: () => void
  onDelete: () => void
}

export function SelectedPanel({ editing, ...rest }: SelectedPanelProps) {
  const { graph, selection } = editing
  const only = onlyNode(selection)
  const node = graph.nodes.find(({ id }) => id === only)
  const actions = useNodeActions(editing, node?.id ?? '')
  if (!node) return null
  return (
    <ConfigPanel graph={graph} node={node} onClose={() => editing.select(nothing)} {...rest} {...actions}>
      <TestSection key={node.id} workflowId={rest.ownId} graph={graph} node={node} flush={editing.flush} />
    </ConfigPanel>
  )
}
