/** Rules for a field's value, and its default value. */
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import type { EditorField } from '../state/fields.ts'

interface RuleFieldsProps {
  field: EditorField
  onChange: (edit: (field: EditorField) => EditorField, kind?: string) => void
}

export function RuleFields(props: RuleFieldsProps) {
  const { type } = props.field
  if (type === 'RADIO' || type === 'DROPDOWN') return <Options {...props} />
  if (type === 'DATE')
    return (
      <Switch
        label="Day of signing"
        help="Filled in by the service. Turn it off to ask for another date."
        isOn={props.field.signingDay ?? props.field.label === null}
        onChange={(signingDay) => props.onChange((now) => ({ ...now, signingDay }))}
      />
    )
  if (type === 'NUMBER')
    return (
      <>
        <div className="grid grid-cols-2 gap-3">
          <NumberRule {...props} rule="min" label="Minimum" />
          <NumberRule {...props} rule="max" label="Maximum" />
        </div>
        <Prefill {...props} />
      </>
    )
  if (type === 'TEXT')
    return (
      <>
        <NumberRule {...props} rule="maxLength" label="Maximum characters" />
        <Pattern {...props} />
        <Prefill {...props} />
      </>
    )
  return null
}

/** A rule that is left empty is removed: the API has no empty rules. */
const withRule = <Rule extends 'options' | 'min' | 'max' | 'maxLength' | 'pattern'>(
  field: EditorField,
  rule: Rule,
  value: EditorField[Rule] | undefined,
): EditorField => {
  const { [rule]: _, ...rest } = field
  return (value === undefined ? rest : { ...rest, [rule]: value }) as EditorField
}

function Options({ field, onChange }: RuleFieldsProps) {
  const read = (text: string) =>
    [
      ...new Set(
        text
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      ),
    ].slice(0, 100)
  return (
    <Field label="Options" name="options" help="One per line.">
      <TextArea
        rows={4}
        defaultValue={(field.options ?? []).join('\n')}
        onBlur={({ target }) => {
          const options = read(target.value)
          // A choice without options can't be saved, so the last ones stay.
          if (options.length > 0) onChange((now) => withRule(now, 'options', options))
          else target.value = (field.options ?? []).join('\n')
        }}
      />
    </Field>
  )
}

interface NumberRuleProps extends RuleFieldsProps {
  rule: 'min' | 'max' | 'maxLength'
  label: string
}

function NumberRule({ field, onChange, rule, label }: NumberRuleProps) {
  const least = rule === 'maxLength' ? 1 : undefined
  const most = rule === 'maxLength' ? 2000 : undefined
  return (
    <Field label={label} name={rule} isOptional>
      <TextInput
        type="number"
        min={least}
        max={most}
        defaultValue={field[rule]}
        onBlur={({ target }) =>
          onChange((now) =>
            withRule(now, rule, target.value === '' || !target.validity.valid ? undefined : target.valueAsNumber),
          )
        }
      />
    </Field>
  )
}

function Pattern({ field, onChange }: RuleFieldsProps) {
  return (
    <Field label="Pattern" name="pattern" isOptional help="# is a digit, A a letter, * either. DE## ####">
      <TextInput
        defaultValue={field.pattern}
        maxLength={200}
        className="font-mono"
        onBlur={({ target }) =>
          onChange((now) => withRule(now, 'pattern', target.value === '' ? undefined : target.value))
        }
      />
    </Field>
  )
}

function Prefill({ field, onChange }: RuleFieldsProps) {
  const value = typeof field.value === 'string' ? field.value : ''
  return (
    <>
      <Field label="Prefilled value" name="value" isOptional>
        <TextInput
          defaultValue={value}
          maxLength={2000}
          onBlur={({ target }) =>
            onChange((now) => ({
              ...now,
              value: target.value === '' ? null : target.value,
              readOnly: now.readOnly && target.value !== '',
            }))
          }
        />
      </Field>
      {value !== '' && (
        <Switch
          label="Locked"
          help="The recipient can’t change the prefilled value."
          isOn={field.readOnly}
          onChange={(readOnly) => onChange((now) => ({ ...now, readOnly }))}
        />
      )}
    </>
  )
}
