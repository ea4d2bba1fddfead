/** Form of the tool node. */
import { useToolChoices } from '../rows/choices.ts'
import { template } from '../rows/form-help.tsx'
import { JsonRow } from '../rows/json-row.tsx'
import { PickRow } from '../rows/pick-rows.tsx'

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
