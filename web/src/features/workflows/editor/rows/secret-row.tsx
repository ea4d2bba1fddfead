/**
 * Secrets of a node: they can be set and replaced but never shown. They are applied when the field loses focus, because
 * saving hides them.
 */

import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'
import type { ComponentProps } from 'react'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput } from '#ui/form/inputs.tsx'
import { textAt, useNodeConfig } from './config-context.ts'
import type { RowProps } from './text-rows.tsx'
import { useBlurCommit, useTakenAtEnd } from './use-blur-commit.ts'

/** The value, placeholder and handlers of an input for a secret. */
export function useSecretInput(value: string, placeholder: string | undefined, onValue: (secret: string) => void) {
  const isStored = value === hiddenSecret
  // Saving hides what was typed before; that must not discard what is being typed now.
  const { typed, events } = useBlurCommit({ of: '', onText: (text) => !(isStored && text === '') && onValue(text) })
  return {
    value: typed ?? (isStored ? '' : value),
    placeholder: isStored ? 'Saved (hidden)' : placeholder,
    autoComplete: 'off',
    ...events,
  } satisfies ComponentProps<'input'>
}

export function SecretRow({ name, placeholder, ...field }: RowProps & { placeholder?: string }) {
  const { config, problems, change } = useNodeConfig()
  const value = textAt(config, name)
  const set = (text: string | undefined) => change({ [name]: text === '' ? undefined : text })
  const secret = useSecretInput(value, placeholder, set)
  useTakenAtEnd(secret.onBlur)
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
      <PasswordInput {...secret} />
    </Field>
  )
}
