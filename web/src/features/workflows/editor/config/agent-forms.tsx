/** Forms of the nodes that use models and tools. */
import { useModelChoices, useToolChoices } from './choices.ts'
import { template } from './form-help.tsx'
import { JsonRow } from './json-row.tsx'
import { KnowledgeRow } from './knowledge-row.tsx'
import { ChipsRow, PickRow } from './pick-rows.tsx'
import { AreaRow } from './text-rows.tsx'
import { NumberRow } from './value-rows.tsx'

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

export function ToolForm() {
  const tools = useToolChoices(false)
  return (
    <>
      <PickRow
        name="tool"
        label="Tool"
        choices={tools}
        help="For a server with several functions, add the function after a slash."
        placeholder="server:mcp:crm/find_customer"
      />
      <JsonRow
        name="arguments"
        label="Arguments"
        isOptional
        isObject
        help={template}
        placeholder={'{ "name": "{{ input.name }}" }'}
      />
    </>
  )
}
