/** Form of the HTTP request node. */
import { isSecretHeader } from '@chancery/contract/plugins/secret-headers.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { useCredentials } from '../../catalogs/api.ts'
import { textAt, useNodeConfig } from '../rows/config-context.ts'
import { template } from '../rows/form-help.tsx'
import { JsonRow } from '../rows/json-row.tsx'
import { PairsRow } from '../rows/pairs-row.tsx'
import { SecretRow } from '../rows/secret-row.tsx'
import { SelectRow } from '../rows/text-rows.tsx'
import { UrlRow } from '../rows/url-row.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }))

/** Stored credentials by name. One that was deleted stays visible by its ID until another is chosen. */
function CredentialRow() {
  const { config, problems, change } = useNodeConfig()
  const id = textAt(config, 'credential_id')
  const items = useCredentials().data?.items ?? []
  const isKnown = items.some((one) => one.id === id)
  return (
    <Field
      label="Credential"
      name="credential_id"
      isOptional
      problem={problems.get('credential_id')}
      help="Create credentials under Workflows, Catalogs."
    >
      <Select value={id} onChange={(event) => change({ credential_id: event.target.value || undefined })}>
        <option value="">None</option>
        {items.map(({ id: value, name, url }) => (
          <option key={value} value={value}>{`${name} (${url})`}</option>
        ))}
        {id !== '' && !isKnown && <option value={id}>{id}</option>}
      </Select>
    </Field>
  )
}

export const HttpForm = () => (
  <>
    <SelectRow name="method" label="Method" options={methods} usual="GET" />
    <UrlRow name="url" label="URL" placeholder="https://service.example.com/items" help={template} />
    <PairsRow
      name="headers"
      label="Headers"
      help="Values of headers that carry credentials are hidden once saved."
      nameLabel="Header name"
      valueLabel="Header value"
      addLabel="Add header"
      isSecret={isSecretHeader}
    />
    <CredentialRow />
    <SecretRow
      name="authorization"
      label="Authorization"
      isOptional
      placeholder="Bearer …"
      help="Sent as the Authorization header. Enter it again if you change the server."
    />
    <JsonRow
      name="body"
      label="Body"
      isOptional
      help={<>JSON. A single quoted string is sent as plain text. {template}</>}
    />
  </>
)
