/** Forms of the nodes that run other workflows. */
import { type FormProps, overState, template } from './form-help.tsx'
import { JsonRow } from './json-row.tsx'
import { ExpressionRow } from './text-rows.tsx'
import { NumberRow } from './value-rows.tsx'
import { WorkflowRow } from './workflow-row.tsx'

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
