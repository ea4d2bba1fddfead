/** Changes that publishing would bring: the draft compared with the live version, or everything if none is live. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { GraphView } from '../graph/graph-view.tsx'
import { useStart } from '../triggers/use-start.ts'
import { draftKey } from '../versions/api.ts'
import { DiffView } from '../versions/diff-view.tsx'

interface ChangesPanelProps {
  workflow: Workflow
  selected: string | undefined
  onSelect: (key: string | undefined) => void
  onTriggers: () => void
}

export function ChangesPanel({ workflow, selected, onSelect, onTriggers }: ChangesPanelProps) {
  const { id, live_version, fires, graph, has_changes } = workflow
  const start = useStart(id)
  if (live_version === null)
    return (
      <Panel title="Changes to publish" hint="Nothing is live yet, so everything is new.">
        {graph.nodes.length === 0 ? (
          <Empty title="No nodes yet" hint="There’s nothing to publish. Add a node in the editor first." />
        ) : (
          <GraphView
            graph={graph}
            label="Draft"
            start={start}
            onStart={onTriggers}
            isInPage
            selectedId={selected}
            onSelect={onSelect}
            className="h-[28rem] overflow-hidden rounded-panel border"
          />
        )}
      </Panel>
    )
  return (
    <Panel
      title="Changes to publish"
      hint={`Draft compared with version ${live_version}, ${fires ? 'which is live' : 'the last one published'}.`}
    >
      {has_changes ? (
        <DiffView
          workflowId={id}
          from={String(live_version)}
          to={draftKey}
          selected={selected}
          onSelect={onSelect}
          onTriggers={onTriggers}
          same="The draft behaves like the live version. Nodes were only moved."
        />
      ) : (
        <Empty title="No changes" hint="The draft is the same as the live version." />
      )}
    </Panel>
  )
}
