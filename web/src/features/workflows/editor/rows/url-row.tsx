/**
 * The URL of a request. It is applied when the field loses focus, because secrets are dropped each time a different
 * server is saved.
 */
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { textAt, useNodeConfig } from './config-context.ts'
import type { RowProps } from './text-rows.tsx'
import { useBlurCommit, useTakenAtEnd } from './use-blur-commit.ts'

export function UrlRow({ name, placeholder, ...field }: RowProps & { placeholder: string }) {
  const { config, problems, hints, change } = useNodeConfig()
  const value = textAt(config, name)
  const { typed, events } = useBlurCommit({ of: value, onText: (text) => text !== value && change({ [name]: text }) })
  useTakenAtEnd(events.onBlur)
  return (
    <Field name={name} {...(typed === undefined && { problem: problems.get(name), hint: hints.get(name) })} {...field}>
      <TextArea
        rows={2}
        value={typed ?? value}
        placeholder={placeholder}
        spellCheck={false}
        {...events}
        className="font-mono text-sm!"
      />
    </Field>
  )
}
