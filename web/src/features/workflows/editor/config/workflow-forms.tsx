/** Forms of the nodes that run other workflows. */
import { defaultLoopIterations } from '@chancery/contract/workflow-graph.ts'
import { type FormProps, overState, template } from './form-help.tsx'
import { JsonRow } from './json-row.tsx'
import { ExpressionRow, SelectRow } from './text-rows.tsx'
import { NumberRow } from './value-rows.tsx'
import { WorkflowRow } from './workflow-row.tsx'

const itemErrors = [
  { value: 'stop', label: 'Stop at the first error' },
  { value: 'collect', label: 'Continue and collect errors' },
]

export const ForEachForm = ({ ownId, hrefOf }: FormProps) => (
  <>
    <ExpressionRow
      name="items"
      label="Items"
      isRequired
      help={<>An expression that returns a list. {overState}</>}
      placeholder={'input["orders"]'}
    />
    <WorkflowRow ownId={ownId} hrefOf={hrefOf} />
    <div className="grid grid-cols-2 items-start gap-3">
      <NumberRow name="parallel" label="In parallel" min={1} max={20} placeholder="4" />
      <NumberRow name="max_items" label="Maximum items" min={1} max={10_000} placeholder="1000" />
    </div>
    <SelectRow
      name="on_item_error"
      label="When an item fails"
      options={itemErrors}
      usual="stop"
      help="Collected errors are in the output, with the index of their item."
    />
  </>
)

export const SubworkflowForm = ({ ownId, hrefOf }: FormProps) => (
  <>
    <WorkflowRow ownId={ownId} hrefOf={hrefOf} />
    <JsonRow
      name="input"
      label="Input"
      isOptional
      help={template}
      placeholder={'{ "customer": "{{ input.customer }}" }'}
    />
  </>
)

export const LoopForm = ({ ownId, hrefOf }: FormProps) => (
  <>
    <WorkflowRow ownId={ownId} hrefOf={hrefOf} />
    <JsonRow name="input" label="Input of the first iteration" isOptional help={template} />
    <ExpressionRow
      name="stop_when"
      label="Stop when"
      placeholder={'output["done"]'}
      help={
        <>
          Checked after each iteration, over <code>output</code>, <code>iteration</code>, <code>state</code>,{' '}
          <code>input</code> and <code>event</code>. If it never holds, the loop ends with “limit”.
        </>
      }
    />
    <NumberRow
      name="max_iterations"
      label="Maximum iterations"
      min={1}
      max={1000}
      placeholder={String(defaultLoopIterations)}
    />
  </>
)
