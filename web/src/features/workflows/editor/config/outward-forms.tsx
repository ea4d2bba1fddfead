/** The forms of what reaches out: to another service, and to the bus. */
import { isSecretHeader } from '../state/secrets.ts'
import { AddressRow } from './address-row.tsx'
import { template } from './form-words.tsx'
import { JsonRow } from './json-row.tsx'
import { PairsRow } from './pairs-row.tsx'
import { SecretRow } from './secret-row.tsx'
import { LineRow, SelectRow } from './text-rows.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }))

export const HttpForm = () => (
  <>
    <SelectRow name="method" label="Method" options={methods} usual="GET" />
    <AddressRow name="url" label="Address" placeholder="https://service.example.com/items" help={template} />
    <PairsRow
      name="headers"
      label="Headers"
      help="What carries a credential by its name is hidden once it is saved."
      nameLabel="Name of header"
      valueLabel="Value of header"
      addLabel="Add a header"
      isSecret={isSecretHeader}
    />
    <SecretRow
      name="authorization"
      label="Authorization"
      isOptional
      placeholder="Bearer …"
      help="Sent as the header of that name. It is entered anew when the node calls another server."
    />
    <JsonRow name="body" label="Body" isOptional help={<>JSON; a lone text in quotes is sent as it is. {template}</>} />
  </>
)

export const EmitForm = () => (
  <>
    <LineRow
      name="event_type"
      label="Event type"
      isMono
      isRequired
      placeholder="order_received"
      help="Small letters, digits and _."
    />
    <JsonRow name="payload" label="Payload" isOptional help={template} placeholder={'{ "order": "{{ input.id }}" }'} />
    <LineRow name="correlation_id" label="Correlation id" isOptional isMono help="The run’s own, unless told." />
  </>
)
