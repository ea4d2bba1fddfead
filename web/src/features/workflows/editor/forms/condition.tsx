/** Form of the condition node: one yes/no expression, or several cases with an output each. */
import { Segmented } from '#ui/form/choices.tsx'
import { casesOf } from '../rows/cases.ts'
import { CasesRow } from '../rows/cases-row.tsx'
import { useNodeConfig } from '../rows/config-context.ts'
import type { FormProps } from '../rows/form-help.tsx'
import { ExpressionRow } from '../rows/text-rows.tsx'

const kinds = [
  { value: 'question', label: 'Yes or no' },
  { value: 'cases', label: 'Several cases' },
] as const

export function ConditionForm({ onRenameOutput }: FormProps) {
  const { nodeId, config, change } = useNodeConfig()
  const hasCases = casesOf(config.cases).length > 0
  return (
    <>
      <Segmented
        legend="Condition type"
        name={`kind-${nodeId}`}
        value={hasCases ? 'cases' : 'question'}
        options={kinds}
        onChange={(kind) =>
          change(
            kind === 'cases'
              ? { expression: undefined, cases: [{ handle: 'case_1', expression: config.expression ?? '' }] }
              : { expression: casesOf(config.cases)[0]?.expression ?? '', cases: undefined },
          )
        }
      />
      {hasCases ? (
        <CasesRow onRename={(from, to, cases) => onRenameOutput(from, to, { cases })} />
      ) : (
        <ExpressionRow
          name="expression"
          label="Expression"
          isRequired
          placeholder={'state["sort"]["urgency"] == "urgent"'}
          help="A Python expression over payload, event, input and state. The run continues with “true” or “false”."
        />
      )}
    </>
  )
}
