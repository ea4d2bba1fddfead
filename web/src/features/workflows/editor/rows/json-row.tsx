/** A node field that holds JSON. Invalid JSON stays as typed and shows where the mistake is. */
import { Field } from '#ui/form/field.tsx'
import { readJson, writeJson } from '../../json-text.ts'
import { CompletingText } from './completing-text.tsx'
import { useNodeConfig } from './config-context.ts'
import type { RowProps } from './text-rows.tsx'
import { useParsedText } from './use-parsed-text.ts'

interface JsonRowProps extends RowProps {
  /** Accepts only a JSON object. */
  isObject?: boolean
  placeholder?: string
  rows?: number
}

const isObjectValue = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

export function JsonRow({ name, isObject = false, placeholder, rows = 5, ...field }: JsonRowProps) {
  const { config, problems, hints, change } = useNodeConfig()
  const { text, problem, onText } = useParsedText<unknown>({
    path: `config.${name}`,
    value: config[name],
    write: writeJson,
    read: (typed) => {
      const reading = readJson(typed)
      if (isObject && reading.value !== undefined && !isObjectValue(reading.value))
        return { problem: 'Enter a JSON object: { … }.' }
      return reading
    },
    onValue: (value) => change({ [name]: value }),
  })
  return (
    <Field name={name} problem={problem ?? problems.get(name)} hint={hints.get(name)} {...field}>
      <CompletingText
        notation="template"
        rows={rows}
        value={text}
        placeholder={placeholder}
        spellCheck={false}
        onText={onText}
        className="font-mono text-sm!"
      />
    </Field>
  )
}
