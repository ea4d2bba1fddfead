import { expect, it } from 'vitest'
import { hideSecrets, secretsIn } from '#kernel/redact/secret-spellings.ts'
import { hideIn } from './hide-secrets.ts'

it('the largest answer of a server holds nobody up, however many secrets the run has', () => {
  const secrets = secretsIn(...Array.from({ length: 20 }, (_, index) => `Bearer key-${index}-of+many/"${index}"`))
  const large = Array.from({ length: 100_000 }, (_, index) => ({ name: `thing ${index}` }))
  const startedAt = performance.now()
  expect(hideIn(large, (text) => hideSecrets(text, secrets))).toBe(large)
  // It took 15 s while each text was searched for each spelling of each secret.
  expect(performance.now() - startedAt).toBeLessThan(1000)
  const deep = (value: unknown) => Array.from({ length: 500 }).reduce((inner) => ({ inner }), value)
  const shown = hideIn(deep('key-7-of+many/"7"'), (text) => hideSecrets(text, secrets))
  expect(JSON.stringify(shown)).toContain('••••••')
})

it('secrets are hidden in names, numbers and lists, and other values stay what they are', () => {
  const secrets = secretsIn('12345678', 'key-value-1')
  const value = { 'key-value-1': [12345678, 7, null, true], other: { deep: 'a key-value-1 b' } }
  expect(hideIn(value, (text) => hideSecrets(text, secrets))).toEqual({
    '••••••': ['••••••', 7, null, true],
    other: { deep: 'a •••••• b' },
  })
})
