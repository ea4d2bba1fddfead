import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideSecrets, secretsIn } from './secret-spellings.ts'

const secret = 'pä/ss "w+rd<&>\\\'~é!'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const hide = (text: string, ...values: string[]) => hideSecrets(text, secretsIn(...values))

describe('a secret is hidden', () => {
  it.each([
    ['as it is', secret],
    ['in JSON', json(secret)],
    ['in JSON that escapes slashes', json(secret).replaceAll('/', '\\/')],
    [
      'in JSON that escapes what HTML knows',
      json(secret).replace('<', '\\u003c').replace('&', '\\u0026').replace('>', '\\u003e'),
    ],
    ['in JSON within JSON', json(json(secret))],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL with small letters', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['in HTML', 'pä/ss &quot;w+rd&lt;&amp;&gt;\\&#39;~é!'],
    ['in HTML as Go and Python write it', 'pä/ss &#34;w+rd&lt;&amp;&gt;\\&#39;~é!'],
    ['in HTML of numbers', 'pä/ss &#34;w+rd&#60;&#38;&#62;\\&#39;~é!'],
    ['in JSON of ASCII alone', json(secret).replace('ä', '\\u00e4').replace('é', '\\u00e9')],
    ['in a URL within a URL', encodeURIComponent(encodeURIComponent(secret))],
    ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
    ['in large hexadecimal digits', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in base64', base64(secret)],
    ['in base64 without its end', base64(secret).replace(/=+$/, '')],
    ['in base64 of addresses', Buffer.from(secret).toString('base64url')],
  ])('%s', (_how, written) => {
    expect(hide(`before ${written} after`, `Bearer ${secret}`)).toBe('before •••••• after')
  })

  it('with a user name as well, and its password alone', () => {
    const header = `Basic ${base64(`ana:${secret}`)}`
    for (const shown of [header, header.slice(6), `ana:${secret}`, secret, encodeURIComponent(`ana:${secret}`)])
      expect(hide(`<${shown}>`, header), shown).not.toContain(shown)
  })

  it('in each of several cookies', () => {
    expect(hide('{"sid":"abc-123456"}', 'theme=dark; sid=abc-123456')).toBe('{"sid":"••••••"}')
  })
})

it('each of many secrets is found, whatever it has in common with others', () => {
  const secrets = ['tok.$^|(1)-first', 'tok.$^|(1)-first-and-more', 's3cr3t', 's3cr3tary']
  expect(hide('<tok.$^|(1)-first-and-more> <tok.$^|(1)-first> <s3cr3tary> <s3cr3t> tok.$^|(1)', ...secrets)).toBe(
    '<••••••> <••••••> <••••••> <••••••> tok.$^|(1)',
  )
  expect(hide('nothing to hide')).toBe('nothing to hide')
})

it('a word or a number that is short may be in a text by chance', () => {
  expect(hide('a token for 123456 and secret', 'secret', 'token', '123456')).toBe('a token for 123456 and secret')
  expect(hide('<s3cr3t>', 's3cr3t')).toBe('<••••••>')
})

it('whatever the secret, nothing that is hidden has it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), fc.string(), (value, around) => {
      fc.pre(!'••••••'.includes(value) && !around.includes(value))
      const written = [value, json(value), encodeURIComponent(value.toWellFormed()), base64(value)]
      for (const one of written) expect(hide(`${around}\n${one}\n${around}`, value)).not.toContain(`\n${one}\n`)
    }),
  )
})
