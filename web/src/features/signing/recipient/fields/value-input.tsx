/** The input of a field that is not a signature. */
import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import type { FactsField } from '../api.ts'
import { useSigning } from '../signing-context.ts'

interface ValueInputProps {
  field: FactsField
  label: string
  value: FieldValue | null
  problem: string | undefined
  onChange: (value: FieldValue | null) => void
}

export function ValueInput(props: ValueInputProps) {
  const { field, label, value, problem, onChange } = props
  if (field.type === 'CHECKBOX') return <CheckInput {...props} />
  if (field.type === 'RADIO') return <RadioInput {...props} />
  return (
    <Field label={label} name="value" problem={problem} help={field.pattern}>
      {field.type === 'DROPDOWN' ? (
        <DropdownInput field={field} value={value} onChange={onChange} />
      ) : (
        <LineInput field={field} value={typeof value === 'string' ? value : ''} onChange={onChange} />
      )}
    </Field>
  )
}

const kinds: Partial<Record<FactsField['type'], object>> = {
  DATE: { type: 'date' },
  EMAIL: { type: 'email', autoComplete: 'email' },
  NAME: { autoComplete: 'name' },
  NUMBER: { inputMode: 'decimal' },
}
/** Boxes higher than this part of the page are for several lines. */
const lineHeight = 0.05

function LineInput({ field, value, onChange }: Pick<ValueInputProps, 'field' | 'onChange'> & { value: string }) {
  const change = (event: { target: { value: string } }) => onChange(event.target.value)
  const limit = { maxLength: field.maxLength ?? 2000 }
  if (field.type === 'TEXT' && field.height > lineHeight)
    return <TextArea data-first value={value} onChange={change} {...limit} />
  return <TextInput data-first value={value} onChange={change} {...limit} {...kinds[field.type]} />
}

function DropdownInput({ field, value, onChange }: Pick<ValueInputProps, 'field' | 'value' | 'onChange'>) {
  const { texts } = useSigning()
  return (
    <Select
      data-first
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      <option value="">{texts.field.choose}</option>
      {(field.options ?? []).map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  )
}

const row = 'flex min-h-10 items-center gap-3 rounded-control border px-3 py-2 has-checked:border-ink'

function RadioInput({ field, label, value, problem, onChange }: ValueInputProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className="flex max-h-48 flex-col gap-1.5 overflow-y-auto">
        {(field.options ?? []).map((option) => (
          <label key={option} className={row}>
            <input
              type="radio"
              name="value"
              checked={value === option}
              onChange={() => onChange(option)}
              className="size-4 shrink-0 accent-seal"
            />
            {option}
          </label>
        ))}
      </div>
      <Problem text={problem} />
    </fieldset>
  )
}

function CheckInput({ label, value, problem, onChange }: ValueInputProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label className={row}>
        <input
          data-first
          type="checkbox"
          checked={value === true}
          aria-invalid={problem === undefined ? undefined : true}
          onChange={({ target }) => onChange(target.checked)}
          className="size-5 shrink-0 accent-seal"
        />
        {label}
      </label>
      <Problem text={problem} />
    </div>
  )
}

const Problem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p role="alert" className="text-bad text-sm">
      {text}
    </p>
  )
