/** The values this node can use, as written in expressions and in templates. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { upstreamOf } from '../../graph/upstream.ts'
import { Collapsible } from './collapsible.tsx'

interface Readable {
  name: string
  expression: string
  template: string
}

export function ReadableSection({ graph, nodeId }: { graph: Graph; nodeId: string }) {
  const readables: Readable[] = [
    { name: 'Output of the previous node', expression: 'input', template: '{{ input }}' },
    ...upstreamOf(graph, nodeId).map(({ id, name }) => ({
      name: `Output of “${name}”`,
      expression: `state["${id}"]`,
      template: `{{ ${id} }}`,
    })),
    { name: 'Payload of the event', expression: 'payload', template: '{{ payload }}' },
    { name: 'Event that started the run', expression: 'event', template: '{{ event }}' },
    { name: 'Input of a manual run', expression: 'state["input"]', template: '{{ state.input }}' },
  ]
  return (
    <Collapsible title="Available data">
      <dl className="flex flex-col gap-2.5 text-sm">
        {readables.map(({ name, expression, template }) => (
          <div key={expression}>
            <dt className="text-soft">{name}</dt>
            <dd className="flex flex-wrap gap-x-3">
              <Code text={expression} />
              <Code text={template} />
            </dd>
          </div>
        ))}
      </dl>
    </Collapsible>
  )
}

const Code = ({ text }: { text: string }) => (
  <span className="inline-flex items-center gap-0.5">
    <code className="font-mono text-xs">{text}</code>
    <CopyButton text={text} label={`Copy ${text}`} />
  </span>
)
