/** What this node can read, as it is written in an expression and in a template. */
import type { Graph } from '@chancery/contract/workflow-graph.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { upstreamOf } from '../../graph/upstream.ts'
import { Fold } from './fold.tsx'

interface Readable {
  name: string
  expression: string
  /** What the node before brought has no name in the state, so templates cannot call it. */
  template?: string
}

export function ReadableSection({ graph, nodeId }: { graph: Graph; nodeId: string }) {
  const readables: Readable[] = [
    { name: 'What the node before brought', expression: 'input' },
    ...upstreamOf(graph, nodeId).map(({ id, name }) => ({
      name: `Result of “${name}”`,
      expression: `state["${id}"]`,
      template: `{{ ${id} }}`,
    })),
    { name: 'The event that started the run', expression: 'event', template: '{{ _event }}' },
    { name: 'What a run by hand was given', expression: 'state["input"]', template: '{{ input }}' },
  ]
  return (
    <Fold title="What it can read">
      <dl className="flex flex-col gap-2.5 text-sm">
        {readables.map(({ name, expression, template }) => (
          <div key={expression}>
            <dt className="text-soft">{name}</dt>
            <dd className="flex flex-wrap gap-x-3">
              <Code text={expression} />
              {template !== undefined && <Code text={template} />}
            </dd>
          </div>
        ))}
      </dl>
    </Fold>
  )
}

const Code = ({ text }: { text: string }) => (
  <span className="inline-flex items-center gap-0.5">
    <code className="font-mono text-xs">{text}</code>
    <CopyButton text={text} label={`Copy ${text}`} />
  </span>
)
