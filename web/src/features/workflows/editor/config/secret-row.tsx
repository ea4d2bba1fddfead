/**
 * Secrets of a node: they can be set and replaced, but are never shown again. What is typed counts when the field is
 * left, since it is hidden as soon as it is saved.
 */
import { type ComponentProps, useState } from 'react'
import { Field } from '#ui/field.tsx'
import { PasswordInput } from '#ui/inputs.tsx'
import { hiddenSecret } from '../state/secrets.ts'
import { textAt, useNodeConfig } from './config-context.ts'
import type { RowProps } from './text-rows.tsx'

/** The value, placeholder and events of an input that holds a secret. */
export function useSecretInput(value: string, placeholder: string | undefined, onValue: (secret: string) => void) {
  const [typed, setTyped] = useState<string>()
  const isStored = value === hiddenSecret
  const commit = () => {
    if (typed !== undefined && !(isStored && typed === '')) onValue(typed)
    setTyped(undefined)
  }
  return {
    value: typed ?? (isStored ? '' : value),
    placeholder: isStored ? 'Set, and hidden' : placeholder,
    autoComplete: 'off',
    onChange: (event) => setTyped(event.target.value),
    onBlur: commit,
  } satisfies ComponentProps<'input'>
}

export function SecretRow({ name, placeholder, ...field }: RowProps & { placeholder?: string }) {
  const { config, problems, change } = useNodeConfig()
  const value = textAt(config, name)
  const set = (secret: string | undefined) => change({ [name]: secret === '' ? undefined : secret })
  return (
    <Field
      name={name}
      problem={problems.get(name)}
      {...field}
      aside={
        value !== '' && (
          <button
            type="button"
            onClick={() => set(undefined)}
            className="text-sm text-soft underline decoration-rule underline-offset-4 hover:decoration-seal"
          >
            Remove
          </button>
        )
      }
    >
      <PasswordInput {...useSecretInput(value, placeholder, set)} />
    </Field>
  )
}
