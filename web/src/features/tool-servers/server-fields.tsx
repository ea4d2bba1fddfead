/** The address, sign-in and headers of a tool server. */
import { headerPlaceholders, type ToolServer } from '@chancery/contract/plugins/tool-servers.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { type Choices, headerProblem, headersText } from './server-body.ts'

interface ServerFieldsProps {
  current: ToolServer | undefined
  choices: Choices
  problems: Problems
  onChoose: (change: Partial<Choices>) => void
}

const types = [
  { value: 'mcp', label: 'MCP' },
  { value: 'openapi', label: 'OpenAPI' },
] as const

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

export function ServerFields({ current, choices, problems, onChoose }: ServerFieldsProps) {
  const isMcp = choices.type === 'mcp'
  return (
    <div className="flex flex-col gap-5">
      {!current && (
        <Segmented
          legend="Type"
          name="type"
          value={choices.type}
          options={types}
          onChange={(type) => onChoose({ type })}
        />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" name="name" isOptional problem={problems.name} help="Shown to people who use its tools.">
          <TextInput autoComplete="off" defaultValue={current?.name} />
        </Field>
        {!current && (
          <Field label="ID" name="id" problem={problems.id} help="The names of its tools begin with it.">
            <TextInput {...plain} className="font-mono" />
          </Field>
        )}
      </div>
      <Field
        label="URL"
        name="url"
        problem={problems.url}
        help={isMcp ? 'Such as https://docs.example.com/mcp.' : 'The base URL of the API.'}
      >
        <TextInput {...plain} inputMode="url" defaultValue={current?.url} className="font-mono" />
      </Field>
      {!isMcp && (
        <Field label="Description path" name="path" isOptional problem={problems.path} help="openapi.json by default.">
          <TextInput {...plain} defaultValue={current?.path} className="font-mono" />
        </Field>
      )}
      <AuthFields current={current} choices={choices} problems={problems} onChoose={onChoose} />
      <Field
        label="Headers"
        name="headers"
        isOptional
        problem={headerProblem(problems)}
        help={`${headersHelp(current)} Filled in: ${headerPlaceholders.join(', ')}.`}
      >
        <TextArea {...plain} rows={3} defaultValue={headersText(current?.headers ?? {})} className="font-mono" />
      </Field>
    </div>
  )
}

const headersHelp = (current: ToolServer | undefined): string =>
  Object.keys(current?.headers ?? {}).length > 0
    ? 'Values are stored encrypted and not shown. Leave one blank to keep it.'
    : 'One in each line, such as X-User: {{USER_EMAIL}}.'

function AuthFields({ current, choices: { type, authType }, problems, onChoose }: ServerFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Authentication" name="auth_type" problem={problems.auth_type} help={authHelp[authType]}>
        <Select
          value={authType}
          onChange={({ target }) => onChoose({ authType: target.value as ToolServer['auth_type'] })}
        >
          <option value="none">None</option>
          <option value="bearer">API key</option>
          {type === 'mcp' && <option value="oauth_2.1">Each person signs in (OAuth)</option>}
        </Select>
      </Field>
      {authType === 'bearer' && (
        <Field
          label="API key"
          name="key"
          problem={problems.key}
          help={
            current?.has_key ? 'A key is stored. Leave blank to keep it.' : 'Stored encrypted. You won’t see it again.'
          }
        >
          <PasswordInput autoComplete="new-password" />
        </Field>
      )}
    </div>
  )
}

const authHelp: Record<ToolServer['auth_type'], string> = {
  none: 'The server is open to everyone who reaches it.',
  bearer: 'One key for everybody, sent as a bearer token.',
  'oauth_2.1': 'People connect their own account under Account, Plugins.',
}
