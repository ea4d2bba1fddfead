/** The details of one change: fields before and after, a full node if added or removed, edges by their ends. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { toneColours } from '../graph/marks.ts'
import { nodeKinds } from '../kinds/node-kinds.ts'
import { toneLabels } from './change-list.tsx'
import { type Change, type Ends, fieldsOfNode, type NodeChange } from './changes.ts'
import { FieldChanges, FieldValues } from './field-changes.tsx'

interface ChangeDetailsProps {
  /** Undefined if nothing is selected, or the selected node didn't change. */
  change: Change | undefined
  selected: string | undefined
  before: Graph
  after: Graph
}

export function ChangeDetails({ change, selected, before, after }: ChangeDetailsProps) {
  if (!change) return <Unchanged selected={selected} after={after} />
  if (change.kind === 'settings')
    return (
      <Details title="Workflow settings">
        <FieldChanges changes={change.fields} />
      </Details>
    )
  if (change.kind === 'edges') {
    const names = new Map([...before.nodes, ...after.nodes].map(({ id, name }) => [id, name]))
    const outputWithin = (graph: Graph) => (id: string) => graph.edges.find((edge) => edge.id === id)?.source_handle
    return (
      <Details title="Edges">
        <EdgeLines tone="added" edges={change.added} names={names} outputName={outputWithin(after)} />
        <EdgeLines tone="removed" edges={change.removed} names={names} outputName={outputWithin(before)} />
      </Details>
    )
  }
  return <NodeDetails change={change} graph={change.tone === 'removed' ? before : after} />
}

function NodeDetails({ change, graph }: { change: NodeChange; graph: Graph }) {
  const node = graph.nodes.find(({ id }) => id === change.key)
  return (
    <Details
      title={change.name}
      aside={
        <span className="font-medium text-sm" style={{ color: toneColours[change.tone] }}>
          {toneLabels[change.tone]}
        </span>
      }
      hint={
        <span className="flex items-center gap-1">
          {node && `${nodeKinds[node.type].label} · `}
          <code className="truncate font-mono text-xs">{change.key}</code>
          <CopyButton text={change.key} label="Copy node ID" />
        </span>
      }
    >
      {change.tone === 'changed' ? (
        <FieldChanges changes={change.fields} />
      ) : (
        node && <FieldValues fields={fieldsOfNode(node)} />
      )}
    </Details>
  )
}

function Unchanged({ selected, after }: { selected: string | undefined; after: Graph }) {
  const node = after.nodes.find(({ id }) => id === selected)
  return (
    <p className="rounded-panel border border-dashed px-5 py-6 text-center text-faint">
      {node ? `“${node.name}” is the same on both sides.` : 'Select a change to see its details.'}
    </p>
  )
}

interface EdgeLinesProps {
  tone: 'added' | 'removed'
  edges: readonly Ends[]
  names: ReadonlyMap<string, string>
  /** The output an edge starts from; empty for the default one. */
  outputName: (edgeId: string) => string | null | undefined
}

function EdgeLines({ tone, edges, names, outputName }: EdgeLinesProps) {
  if (edges.length === 0) return null
  return (
    <section aria-label={toneLabels[tone]} className="flex flex-col gap-1.5">
      <h4 className="font-medium text-sm" style={{ color: toneColours[tone] }}>
        {toneLabels[tone]}
      </h4>
      <ul className="flex flex-col gap-1">
        {edges.map(({ id, source, target }) => (
          <li key={id} className="flex flex-wrap items-center gap-1.5">
            {names.get(source) ?? source}
            {outputName(id) && <span className="text-faint text-sm">({outputName(id)})</span>}
            <ArrowRight aria-label="to" className="size-3.5 text-faint" />
            {names.get(target) ?? target}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface DetailsProps {
  title: string
  hint?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

const Details = ({ title, hint, aside, children }: DetailsProps) => (
  <section aria-label={title} className="rounded-panel border bg-surface px-4 py-3.5">
    <header className="mb-3">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 font-medium text-md">{title}</h3>
        {aside}
      </div>
      {hint !== undefined && <div className="text-faint text-sm">{hint}</div>}
    </header>
    <div className="flex flex-col gap-4">{children}</div>
  </section>
)
