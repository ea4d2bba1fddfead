/** Form of the emit event node. */
import { template } from '../rows/form-help.tsx'
import { JsonRow } from '../rows/json-row.tsx'
import { LineRow } from '../rows/text-rows.tsx'

export const EmitForm = () => (
  <>
    <LineRow
      name="event_type"
      label="Event type"
      isMono
      isRequired
      placeholder="order_received"
      help="Lower-case letters, digits and _."
    />
    <JsonRow name="payload" label="Payload" isOptional help={template} placeholder={'{ "order": "{{ input.id }}" }'} />
    <LineRow name="correlation_id" label="Correlation ID" isOptional isMono help="Defaults to the run’s ID." />
  </>
)
