/** Form of the agent node. */
import { useModelChoices, useToolChoices } from '../rows/choices.ts'
import { template } from '../rows/form-help.tsx'
import { JsonRow } from '../rows/json-row.tsx'
import { KnowledgeRow } from '../rows/knowledge-row.tsx'
import { ChipsRow, PickRow } from '../rows/pick-rows.tsx'
import { AreaRow } from '../rows/text-rows.tsx'
import { NumberRow } from '../rows/value-rows.tsx'

export function AgentForm() {
  const models = useModelChoices()
  const tools = useToolChoices(true)
  return (
    <>
      <PickRow name="model" label="Model" choices={models} placeholder="Choose or type a model" />
      <AreaRow
        name="system_prompt"
        label="System prompt"
        isOptional
        placeholder="What the agent should do, and what it must never do"
      />
      <AreaRow
        name="prompt"
        label="Prompt"
        isOptional
        help={<>Without a prompt, the agent gets the node’s input as JSON. {template}</>}
      />
      <ChipsRow name="tools" label="Tools" isOptional choices={tools} placeholder="Add a tool" />
      <KnowledgeRow />
      <JsonRow
        name="output_schema"
        label="Output schema"
        isOptional
        isObject
        help="JSON Schema. The answer must match it, and its fields can be used by later nodes."
        placeholder={'{ "type": "object", "properties": { … } }'}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <NumberRow name="temperature" label="Temperature" min={0} max={2} isWhole={false} placeholder="Model default" />
        <NumberRow name="max_iterations" label="Maximum rounds" min={1} max={50} help="Rounds of tool calls." />
      </div>
      <NumberRow
        name="max_tokens"
        label="Token budget"
        isOptional
        min={1}
        max={10_000_000}
        help="For all rounds together. The node fails when the budget is used up."
      />
    </>
  )
}
