/** One server of a catalog: where it is, what it is, its key, the models that runs may use there, and what they cost. */
import { Trash2 } from 'lucide-react'
import { IconButton } from '#ui/button.tsx'
import { Check, Segmented } from '#ui/choices.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordInput, TextArea, TextInput } from '#ui/inputs.tsx'
import { PriceFields } from '#ui/price-fields.tsx'
import { type EntryDraft, keepsKey, modelIdsOf } from './catalog-draft.ts'

interface EntryFieldsProps {
  entry: EntryDraft
  /** From 1. */
  place: number
  problems: Readonly<Record<string, string>>
  /** Of the prices. */
  currency: string
  onChange: (change: Partial<EntryDraft>) => void
  onRemove: () => void
}

const types = [
  { value: 'compat', label: 'Compatible provider' },
  { value: 'upstream', label: 'Local runtime' },
] as const

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

/** Messages of the schema begin small. */
const asSentence = (text: string | undefined) =>
  text === undefined ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

export function EntryFields({ entry, place, problems, currency, onChange, onRemove }: EntryFieldsProps) {
  const { name, type, url, models } = entry
  // Names inside the form are apart from the catalog's own: the form reads those by name.
  const nameOf = (field: string) => `entry-${entry.rowId}-${field}`
  return (
    <fieldset className="relative flex min-w-0 flex-col gap-4 rounded-panel border p-4">
      <legend className="px-1 font-medium text-sm">Server {place}</legend>
      <IconButton
        label={`Remove server ${place}`}
        icon={Trash2}
        className="absolute -top-6 right-2 bg-raised"
        onClick={onRemove}
      />
      <Segmented
        legend={`Type of server ${place}`}
        name={nameOf('type')}
        value={type}
        options={types}
        onChange={(next) => onChange({ type: next })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" name={nameOf('name')} problem={asSentence(problems.name)}>
          <TextInput {...plain} value={name} onChange={(event) => onChange({ name: event.target.value })} />
        </Field>
        <Field label="Address" name={nameOf('url')} problem={asSentence(problems.url)}>
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
      <KeyField entry={entry} name={nameOf('key')} problem={asSentence(problems.key)} onChange={onChange} />
      <Field
        label="Models"
        name={nameOf('models')}
        problem={asSentence(problems.model_ids)}
        help="One id on each line. Nodes name their model by these ids."
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
        none="Name models first."
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
          disabled={entry.dropsKey}
          onChange={(event) => onChange({ key: event.target.value })}
        />
      </Field>
      {hasKey && (
        <div className="-mx-3">
          <Check isOn={entry.dropsKey} onChange={() => onChange({ dropsKey: !entry.dropsKey })}>
            Forget the stored key
          </Check>
        </div>
      )}
    </div>
  )
}

function keyHelp(entry: EntryDraft): string {
  if (!entry.stored?.has_key || entry.dropsKey) return 'It is sealed and never shown again.'
  if (keepsKey(entry) || entry.key !== '') return 'One is stored. Left blank, it stays.'
  return 'The stored key stays behind: it was entered for another name, type or server. Enter it again.'
}
