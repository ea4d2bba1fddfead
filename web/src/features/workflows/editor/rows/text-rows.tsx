/** Text fields of a node: single line, multi-line, expression, select. */
import type { ReactNode } from 'react'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import type { Notation } from '../../completion/complete.ts'
import { CompletingText } from './completing-text.tsx'
import { textAt, useNodeConfig } from './config-context.ts'

export interface RowProps {
  name: string
  label: string
  help?: ReactNode
  isOptional?: boolean
}

interface LineRowProps extends RowProps {
  placeholder?: string
  isMono?: boolean
  /** Stored even when empty, because the node requires it; the problem is then shown at the field. */
  isRequired?: boolean
}

/** An optional text that is emptied is removed. */
export const textOrNothing = (text: string, isRequired: boolean): string | undefined =>
  text === '' && !isRequired ? undefined : text

export function LineRow({ name, placeholder, isMono = false, isRequired = false, ...field }: LineRowProps) {
  const { config, problems, hints, change } = useNodeConfig()
  return (
    <Field name={name} problem={problems.get(name)} hint={hints.get(name)} {...field}>
      <CompletingText
        isLine
        notation="template"
        value={textAt(config, name)}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={!isMono}
        onText={(text) => change({ [name]: textOrNothing(text, isRequired) })}
        className={isMono ? 'font-mono text-sm!' : ''}
      />
    </Field>
  )
}

interface AreaRowProps extends LineRowProps {
  rows?: number
  notation?: Notation
}

export function AreaRow({
  name,
  placeholder,
  isMono = false,
  isRequired = false,
  rows = 4,
  notation = 'template',
  ...field
}: AreaRowProps) {
  const { config, problems, hints, change } = useNodeConfig()
  return (
    <Field name={name} problem={problems.get(name)} hint={hints.get(name)} {...field}>
      <CompletingText
        notation={notation}
        rows={rows}
        value={textAt(config, name)}
        placeholder={placeholder}
        spellCheck={!isMono}
        onText={(text) => change({ [name]: textOrNothing(text, isRequired) })}
        className={isMono ? 'font-mono text-sm!' : 'field-sizing-content max-h-96 min-h-20'}
      />
    </Field>
  )
}

export const ExpressionRow = (props: Omit<AreaRowProps, 'isMono' | 'rows' | 'notation'>) => (
  <AreaRow {...props} isMono rows={2} notation="expression" />
)

interface SelectRowProps extends RowProps {
  options: readonly { value: string; label: string }[]
  /** The default when the field isn't set. */
  usual: string
}

export function SelectRow({ name, options, usual, ...field }: SelectRowProps) {
  const { config, problems, change } = useNodeConfig()
  return (
    <Field name={name} problem={problems.get(name)} {...field}>
      <Select value={textAt(config, name) || usual} onChange={(event) => change({ [name]: event.target.value })}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
