/** What a publication would change: the draft against what is live, or all of it where nothing is yet. */
import type { Workflow } from '@chancery/contract/workflows.ts'
import { Panel } from '#ui/layout.tsx'
import { Empty } from '#ui/states.tsx'
import { GraphView } from '../graph/graph-view.tsx'
import { draftKey } from '../versions/api.ts'
import { DiffView } from '../versions/diff-view.tsx'

interface ChangesPanelProps {
  workflow: Workflow
  selected: string | undefined
  onSelect: (key: string | undefined) => void
}

export function ChangesPanel({ workflow, selected, onSelect }: ChangesPanelProps) {
  const { id, live_version, graph, has_changes } = workflow
  if (live_version === null)
    return (
      <Panel title="What would be published" hint="Nothing is live yet: all of it is new.">
        {graph.nodes.length === 0 ? (
          <Empty title="An empty graph" hint="There is nothing to publish yet." />
        ) : (
          <GraphView
            graph={graph}
            label="The draft"
            isInPage
            selectedId={selected}
            onSelect={onSelect}
            className="h-[28rem] overflow-hidden rounded-panel border"
          />
        )}
      </Panel>
    )
  return (
    <Panel title="What would change" hint={`The draft against version ${live_version}, which is live.`}>
      {has_changes ? (
        <DiffView
          workflowId={id}
          from={String(live_version)}
          to={draftKey}
          selected={selected}
          onSelect={onSelect}
          same="The draft runs as the live version does. Nodes were only moved."
        />
      ) : (
        <Empty title="No difference" hint="The draft is what is live." />
      )}
    </Panel>
  )
}
