/** One server of a catalog: URL, type, API key, models and their prices. */
import { Trash2 } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { Check, Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { PriceFields } from '#ui/form/price-fields.tsx'
import { type EntryDraft, keepsKey, modelIdsOf } from './catalog-draft.ts'

interface EntryFieldsProps {
  entry: EntryDraft
  /** Starts at 1. */
  number: number
  problems: Readonly<Record<string, string>>
  /** The currency of the prices. */
  currency: string
  onChange: (change: Partial<EntryDraft>) => void
  onRemove: () => void
}

const types = [
  { value: 'compat', label: 'Compatible provider' },
  { value: 'upstream', label: 'Local runtime' },
] as const

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

export function EntryFields({ entry, number, problems, currency, onChange, onRemove }: EntryFieldsProps) {
  const { name, type, url, models } = entry
  // Field names are prefixed so they don't clash with the catalog's own fields in the form data.
  const nameOf = (field: string) => `entry-${entry.rowId}-${field}`
  return (
    <fieldset className="relative flex min-w-0 flex-col gap-4 rounded-panel border p-4">
      <legend className="px-1 font-medium text-sm">Server {number}</legend>
      <IconButton
        label={`Remove server ${number}`}
        icon={Trash2}
        className="absolute -top-6 right-2 bg-raised"
        onClick={onRemove}
      />
      <Segmented
        legend={`Type of server ${number}`}
        name={nameOf('type')}
        value={type}
        options={types}
        onChange={(next) => onChange({ type: next })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" name={nameOf('name')} problem={problems.name}>
          <TextInput {...plain} value={name} onChange={(event) => onChange({ name: event.target.value })} />
        </Field>
        <Field label="URL" name={nameOf('url')} problem={problems.url}>
          <TextInput
            {...plain}
            inputMode="url"
            placeholder={type === 'compat' ? 'https://api.example.com/v1' : 'http://127.0.0.1:11434'}
            value={url}
            onChange={(event) => onChange({ url: event.target.value })}
            className="font-mono"
          />
        </Field>
      </div>
      <KeyField entry={entry} name={nameOf('key')} problem={problems.key} onChange={onChange} />
      <Field
        label="Models"
        name={nameOf('models')}
        problem={problems.model_ids}
        help="One model ID per line. Nodes refer to models by these IDs."
      >
        <TextArea
          {...plain}
          rows={3}
          value={models}
          onChange={(event) => onChange({ models: event.target.value })}
          className="font-mono"
        />
      </Field>
      <PriceFields
        models={modelIdsOf(models)}
        none="Add models first."
        prices={entry.prices}
        currency={currency}
        showsProblems={problems.prices !== undefined}
        onChange={(prices) => onChange({ prices })}
      />
    </fieldset>
  )
}

interface KeyFieldProps extends Pick<EntryFieldsProps, 'entry' | 'onChange'> {
  name: string
  problem: string | undefined
}

function KeyField({ entry, name, problem, onChange }: KeyFieldProps) {
  const hasKey = entry.stored?.has_key === true
  return (
    <div className="flex flex-col gap-1">
      <Field label="API key" name={name} isOptional problem={problem} help={keyHelp(entry)}>
        <PasswordInput
          autoComplete="new-password"
          value={entry.key}
          disabled={entry.removesKey}
          onChange={(event) => onChange({ key: event.target.value })}
        />
      </Field>
      {hasKey && (
        <div className="-mx-3">
          <Check isOn={entry.removesKey} onChange={() => onChange({ removesKey: !entry.removesKey })}>
            Remove the stored key
          </Check>
        </div>
      )}
    </div>
  )
}

function keyHelp(entry: EntryDraft): string {
  if (!entry.stored?.has_key || entry.removesKey) return 'Stored encrypted. You won’t see it again.'
  if (keepsKey(entry) || entry.key !== '') return 'A key is stored. Leave blank to keep it.'
  return 'The stored key was for a different name, type or URL and will be removed. Enter the key again.'
}
