/** Form of the loop node. */
import { defaultLoopIterations } from '@chancery/contract/workflows/graph.ts'
import { type FormProps, template } from '../rows/form-help.tsx'
import { JsonRow } from '../rows/json-row.tsx'
import { ExpressionRow } from '../rows/text-rows.tsx'
import { NumberRow } from '../rows/value-rows.tsx'
import { WorkflowRow } from '../rows/workflow-row.tsx'

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
