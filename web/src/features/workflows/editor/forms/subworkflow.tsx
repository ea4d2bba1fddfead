/** Form of the subworkflow node. */
import { type FormProps, template } from '../rows/form-help.tsx'
import { JsonRow } from '../rows/json-row.tsx'
import { WorkflowRow } from '../rows/workflow-row.tsx'

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
