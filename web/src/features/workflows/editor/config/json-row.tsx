/** A field of a node that holds JSON. What cannot be read yet stays as it was typed, and says where it breaks. */
import { Field } from '#ui/field.tsx'
import { TextArea } from '#ui/inputs.tsx'
import { readJson, writeJson } from '../../json-text.ts'
import { useNodeConfig } from './config-context.ts'
import type { RowProps } from './text-rows.tsx'
import { useTyped } from './use-typed.ts'

interface JsonRowProps extends RowProps {
  /** Whether anything but an object is refused. */
  isObject?: boolean
  placeholder?: string
  rows?: number
}

const isObjectValue = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

export function JsonRow({ name, isObject = false, placeholder, rows = 5, ...field }: JsonRowProps) {
  const { config, problems, change } = useNodeConfig()
  const { text, problem, onText } = useTyped<unknown>({
    path: `config.${name}`,
    value: config[name],
    write: writeJson,
    read: (typed) => {
      const reading = readJson(typed)
      if (isObject && reading.value !== undefined && !isObjectValue(reading.value))
        return { problem: 'Must be a JSON object: { … }.' }
      return reading
    },
    onValue: (value) => change({ [name]: value }),
  })
  return (
    <Field name={name} problem={problem ?? problems.get(name)} {...field}>
      <TextArea
        rows={rows}
        value={text}
        placeholder={placeholder}
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
        className="font-mono text-sm!"
      />
    </Field>
  )
}
