import { describe, expect, it } from 'vitest'
import { isIdle, labelOf, matchSettings, titleOf } from './setting-labels.ts'
import { groupOf, textOfValue, valueSchema } from './setting-value.ts'

describe('a setting', () => {
  it('is shown as text in its field, except for secrets', () => {
    expect(textOfValue({ type: 'json', value: { prompt: 'login' } })).toBe('{\n  "prompt": "login"\n}')
    expect(textOfValue({ type: 'number', value: 0 })).toBe('0')
    expect(textOfValue({ type: 'text', value: null })).toBe('')
    expect(textOfValue({ type: 'secret', value: 'leaked' })).toBe('')
  })

  it('is parsed by its type', () => {
    expect(valueSchema('number').safeParse({ value: '7.5' })).toEqual({ success: true, data: 7.5 })
    expect(valueSchema('json').safeParse({ value: '{"a":1}' })).toEqual({ success: true, data: { a: 1 } })
    expect(valueSchema('text').safeParse({ value: '7' })).toEqual({ success: true, data: '7' })
  })

  it.each([
    ['number', 'seven'],
    ['json', '{a}'],
    ['text', '  '],
    ['secret', ''],
  ] as const)('of type %s refuses %j', (type, value) => {
    expect(valueSchema(type).safeParse({ value }).success).toBe(false)
  })

  it('belongs to the group in its key', () => {
    expect(groupOf('oauth.enable_signup')).toBe('oauth')
    expect(groupOf('oauth.oidc.client_id')).toBe('oauth.oidc')
  })

  it('has a name in words, and is found by name, key, group or description', () => {
    expect(labelOf('oauth.oidc.client_id')).toBe('Client ID')
    expect(labelOf('oauth.enable_signup')).toBe('Create accounts on first sign-in')
    expect(titleOf('oauth.oidc')).toBe('OpenID Connect')
    const entry = {
      key: 'oauth.oidc.client_id',
      type: 'text',
      sentence: 'As the provider shows it.',
      value: null,
      isSet: false,
      source: 'default',
      isEditable: false,
    } as const
    for (const text of ['', 'client', 'OpenID', 'oidc.client', 'provider shows', 'id connect'])
      expect(matchSettings([entry], text)).toHaveLength(1)
    expect(matchSettings([entry], 'client mail')).toHaveLength(0)
    expect(isIdle(entry)).toBe(true)
    expect(isIdle({ ...entry, isEditable: true })).toBe(false)
    expect(isIdle({ ...entry, isSet: true, source: 'environment' })).toBe(false)
  })
})
