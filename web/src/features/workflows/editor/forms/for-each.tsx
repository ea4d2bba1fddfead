/** Form of the for each node. */
import { type FormProps, overState } from '../rows/form-help.tsx'
import { ExpressionRow, SelectRow } from '../rows/text-rows.tsx'
import { NumberRow } from '../rows/value-rows.tsx'
import { WorkflowRow } from '../rows/workflow-row.tsx'

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
