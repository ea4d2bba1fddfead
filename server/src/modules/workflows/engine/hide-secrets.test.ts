import { expect, it } from 'vitest'
import { hideSecrets, secretsIn } from '#kernel/redact/secret-spellings.ts'
import { hideIn } from './hide-secrets.ts'

it('secrets are hidden in names, numbers and lists, and other values stay what they are', () => {
  const secrets = secretsIn('12345678', 'key-value-1')
  const value = { 'key-value-1': [12345678, 7, null, true], other: { deep: 'a key-value-1 b' } }
  expect(hideIn(value, (text) => hideSecrets(text, secrets))).toEqual({
    '••••••': ['••••••', 7, null, true],
    other: { deep: 'a •••••• b' },
  })
})
