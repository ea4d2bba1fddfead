/** The graph editor: palette, canvas, and the settings of the selected node. Changes save automatically. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { ReactFlowProvider } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { startId } from '../graph/start-node.ts'
import { useStart } from '../triggers/use-start.ts'
import { Canvas } from './canvas/canvas.tsx'
import { EmptyCanvas } from './canvas/empty-canvas.tsx'
import { SelectedPanel } from './config/selected-panel.tsx'
import { type StartLinks, StartPanel } from './start-panel.tsx'
import { withDraftProblems } from './state/drafts.ts'
import { nothing, selectionOf } from './state/editor-state.ts'
import { changeSettings, type Join, type Point } from './state/graph-edits.ts'
import { type LocatedProblem, locateProblems, problemsByNode } from './state/problems.ts'
import { AddDialog } from './tools/add-dialog.tsx'
import { Notices } from './tools/notices.tsx'
import { Palette } from './tools/palette.tsx'
import { SelectionBar } from './tools/selection-bar.tsx'
import { SettingsDialog } from './tools/settings-dialog.tsx'
import { Toolbar } from './tools/toolbar.tsx'
import { UnsavedGuard } from './tools/unsaved-guard.tsx'
import { useEditorKeys } from './tools/use-editor-keys.ts'
import { followingOf, useActions } from './use-actions.ts'
import { DraftsContext, useDrafts } from './use-drafts.ts'
import { useEditing } from './use-editing.ts'
import { useHints } from './use-hints.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useNodeInUrl } from './use-node-in-url.ts'

interface EditorProps extends StartLinks {
  workflow: Workflow
  /** The selected node, from the URL. */
  nodeId: string | undefined
  onNode: (nodeId: string | undefined) => void
  hrefOf: (workflowId: string) => string
}

export function Editor(props: EditorProps) {
  return (
    <ReactFlowProvider>
      <Desk {...props} />
    </ReactFlowProvider>
  )
}

/** The node that the new one follows, and its position. */
interface Asking {
  from?: Omit<Join, 'target'> | undefined
  at?: Point
}

function Desk({ workflow, nodeId, onNode, hrefOf, reviewLink, eventLink }: EditorProps) {
  const editing = useEditing(workflow, nodeId)
  const { graph, selection, saveState } = editing
  const elementRef = useRef<HTMLDivElement>(null)
  const [asking, setAsking] = useState<Asking>()
  const [hasSettings, setSettings] = useState(false)
  const [wanted, setWanted] = useState<string>()
  const following = useMemo(() => followingOf(graph, selection), [graph, selection])
  const ask = useCallback(() => setAsking(following ? { from: following } : {}), [following])
  const { add, actions } = useActions(editing, elementRef, ask)
  const drafts = useDrafts(graph)
  const problems = useMemo(
    () => locateProblems(graph, withDraftProblems(drafts.live, editing.problems)),
    [graph, drafts.live, editing.problems],
  )
  const hints = useHints(workflow.id, graph)
  const start = useStart(workflow.id)
  const marked = useMemo(
    () => ({ problems: problemsByNode(problems), hints: problemsByNode(hints) }),
    [problems, hints],
  )
  const found = useMemo(() => [...problems, ...hints], [problems, hints])
  useEditorKeys(actions)
  useNodeInUrl(editing, nodeId, onNode)
  const goTo = (problem: LocatedProblem) => {
    if (problem.nodeId === undefined) return setSettings(true)
    editing.select(selectionOf(problem.nodeId))
    setWanted(problem.field)
  }
  return (
    <DraftsContext value={drafts}>
      <Toolbar
        editing={editing}
        problems={found}
        draftCount={drafts.live.length}
        onAdd={ask}
        onTidy={actions.tidy}
        onSettings={() => setSettings(true)}
        onGoTo={goTo}
      />
      <Notices saveState={saveState} status={editing.status} onTheirs={editing.takeTheirs} onMine={editing.keepMine} />
      <div className="relative flex min-h-0 flex-1 max-sm:flex-col">
        <Palette onAdd={(type) => add(type, following ? { from: following } : {})} />
        <div ref={elementRef} className="relative min-h-0 min-w-0 flex-1">
          <Canvas
            editing={editing}
            start={start}
            marked={marked}
            isTouch={useIsNarrow()}
            onDropNode={(type, at) => add(type, { at })}
            onLooseEnd={(from, at) => setAsking({ from, at })}
          />
          <SelectionBar selection={selection} onDuplicate={actions.duplicate} onDelete={actions.remove} />
          {graph.nodes.length === 0 && <EmptyCanvas isBesidePanel={selection.nodes.has(startId)} onAdd={ask} />}
        </div>
        {selection.nodes.has(startId) && (
          <StartPanel
            workflow={workflow}
            reviewLink={reviewLink}
            eventLink={eventLink}
            onClose={() => editing.select(nothing)}
          />
        )}
        <SelectedPanel
          editing={editing}
          ownId={workflow.id}
          hrefOf={hrefOf}
          problems={found}
          wanted={wanted}
          onArrived={() => setWanted(undefined)}
          onDuplicate={actions.duplicate}
          onDelete={actions.remove}
        />
      </div>
      <UnsavedGuard flush={editing.flush} isSaved={editing.isSaved} hasDrafts={drafts.live.length > 0} />
      {asking && (
        <AddDialog
          after={graph.nodes.find(({ id }) => id === asking.from?.source)?.name}
          onAdd={(type) => add(type, asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {hasSettings && (
        <SettingsDialog
          settings={graph.settings ?? {}}
          onChange={(settings, field) =>
            editing.edit((now) => changeSettings(now, settings), { kind: `settings:${field}` })
          }
          onClose={() => setSettings(false)}
        />
      )}
    </DraftsContext>
  )
}
