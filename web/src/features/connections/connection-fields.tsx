/** The name, URL and options of a connection. */
import type { Connection } from '@chancery/contract/models/connections.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Check, Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import type { Choices } from './connection-body.ts'

interface ConnectionFieldsProps {
  current: Connection | undefined
  choices: Choices
  problems: Problems
  onChoose: (change: Partial<Choices>) => void
}

const types = [
  { value: 'compat', label: 'Compatible provider' },
  { value: 'upstream', label: 'Local runtime' },
] as const

const examples: Record<Connection['type'], string> = {
  compat: 'The base URL of the API, such as https://api.example.com/v1.',
  upstream: 'The URL of the runtime, such as http://127.0.0.1:11434.',
}

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

export function ConnectionFields({ current, choices, problems, onChoose }: ConnectionFieldsProps) {
  const { type } = choices
  return (
    <div className="flex flex-col gap-5">
      {!current && (
        <Segmented
          legend="Type"
          name="type"
          value={type}
          options={types}
          onChange={(next) => onChoose({ type: next })}
        />
      )}
      <Field label="Name" name="name" problem={problems.name} help="Shown to platform admins.">
        <TextInput autoComplete="off" defaultValue={current?.name} required />
      </Field>
      <Field label="URL" name="url" problem={problems.url} help={examples[type]}>
        <TextInput {...plain} inputMode="url" defaultValue={current?.url} className="font-mono" required />
      </Field>
      <KeyField current={current} choices={choices} problem={problems.key} onChoose={onChoose} />
      <div className="grid gap-5 sm:grid-cols-3">
        <Field
          label="Prefix"
          name="prefix_id"
          isOptional
          problem={problems.prefix_id}
          help="Added in front of every model ID."
        >
          <TextInput {...plain} defaultValue={current?.prefix_id ?? ''} className="font-mono" />
        </Field>
        <Field
          label="Timeout (seconds)"
          name="timeout_sec"
          isOptional
          problem={problems.timeout_sec}
          help="Leave blank for the default."
        >
          <TextInput inputMode="numeric" defaultValue={current?.timeout_sec ?? ''} className="figures" />
        </Field>
        <Field label="Tags" name="tags" isOptional problem={problems.tags} help="Separate with commas.">
          <TextInput autoComplete="off" defaultValue={current?.tags.join(', ')} />
        </Field>
      </div>
    </div>
  )
}

interface KeyFieldProps extends Pick<ConnectionFieldsProps, 'current' | 'choices' | 'onChoose'> {
  problem: string | undefined
}

function KeyField({ current, choices: { removesKey }, problem, onChoose }: KeyFieldProps) {
  const hasKey = current?.has_key === true
  return (
    <div className="flex flex-col gap-1">
      <Field
        label="API key"
        name="key"
        isOptional
        problem={problem}
        help={hasKey ? 'A key is stored. Leave blank to keep it.' : 'Stored encrypted. You won’t see it again.'}
      >
        <PasswordInput autoComplete="new-password" disabled={removesKey} />
      </Field>
      {hasKey && (
        <div className="-mx-3">
          <Check isOn={removesKey} onChange={() => onChoose({ removesKey: !removesKey })}>
            Remove the stored key
          </Check>
        </div>
      )}
    </div>
  )
}
