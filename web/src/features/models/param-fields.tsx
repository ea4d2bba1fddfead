/** A model's parameters. Blank fields use the base model's values. */
import type { Model } from '@chancery/contract/models/models.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { extraText, numberParams } from './model-body.ts'

interface ParamFieldsProps {
  current: Model | undefined
  problems: Problems
}

export function ParamFields({ current, problems }: ParamFieldsProps) {
  return (
    <details className="rounded-control border px-4 py-3" open={numberParams.some(({ name }) => problems[name])}>
      <summary className="font-medium text-sm">Parameters</summary>
      <div className="mt-4 grid gap-5 sm:grid-cols-3">
        {numberParams.map(({ name, label, help, usual }) => (
          <Field key={name} label={label} name={name} isOptional problem={problems[name]} help={help}>
            <TextInput inputMode="decimal" className="figures" defaultValue={shown(current?.params[name], usual)} />
          </Field>
        ))}
      </div>
      <Field
        label="Other parameters"
        name="extra"
        isOptional
        className="mt-5"
        problem={problems.extra}
        help={'A JSON object that is passed to the model, such as {"seed": 7}.'}
      >
        <TextArea spellCheck={false} className="font-mono text-sm" defaultValue={current && extraText(current)} />
      </Field>
    </details>
  )
}

const shown = (value: unknown, usual: number | undefined) => (typeof value === 'number' && value !== usual ? value : '')
