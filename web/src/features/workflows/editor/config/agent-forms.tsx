/** The forms of what works with models and tools. */
import { useModelChoices, useToolChoices } from './choices.ts'
import { template } from './form-words.tsx'
import { JsonRow } from './json-row.tsx'
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
        placeholder="Who it is, and what it must never do"
      />
      <AreaRow
        name="prompt"
        label="Prompt"
        isOptional
        help={<>Without one it is given what comes in, as JSON. {template}</>}
      />
      <ChipsRow name="tools" label="Tools" isOptional choices={tools} placeholder="Add a tool" />
      <ChipsRow name="knowledge" label="Knowledge" isOptional choices={[]} placeholder="Add a collection by its id" />
      <JsonRow
        name="output_schema"
        label="Output schema"
        isOptional
        isObject
        help="A JSON schema. The answer is checked against it, and its fields can be read by name."
        placeholder={'{ "type": "object", "properties": { … } }'}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <NumberRow
          name="temperature"
          label="Temperature"
          min={0}
          max={2}
          isWhole={false}
          placeholder="as the model has it"
        />
        <NumberRow name="max_iterations" label="Most rounds" min={1} max={50} help="Of tool calls." />
      </div>
      <NumberRow
        name="max_tokens"
        label="Token budget"
        isOptional
        min={1}
        max={10_000_000}
        help="For all its rounds together. It stops and fails when it is used up."
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
        help="A server with several functions takes one of them after a slash."
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
