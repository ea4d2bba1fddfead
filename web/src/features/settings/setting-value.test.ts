import { describe, expect, it } from 'vitest'
import { problemText } from '#lib/problems/problem-text.ts'
import { isIdle, labelOf, matchSettings, problemOf, titleOf } from './setting-labels.ts'
import { deletesMore, groupOf, textOfValue, valueSchema } from './setting-value.ts'

const entry = {
  key: 'oauth.oidc.client_id',
  type: 'text',
  sentence: 'As the provider shows it.',
  value: null,
  isSet: false,
  source: 'default',
  isEditable: false,
} as const

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
    expect(groupOf('workflows.run_retention_days')).toBe(groupOf('audit.retention_days'))
  })

  it.each([
    [30, 7, true],
    [0, 365, true],
    [30, 90, false],
    [30, 30, false],
    [30, 0, false],
    [30, 1.5, false],
  ])('that keeps records for %d days deletes more with %d: %s', (value, next, deletes) => {
    expect(deletesMore({ key: 'events.retention_days', value }, next)).toBe(deletes)
    expect(deletesMore({ key: 'search.results', value }, next)).toBe(false)
  })

  it('keeps the names of its options in sight when another was typed', () => {
    const engine = { ...entry, sentence: 'What searches: brave or none.' }
    expect(problemOf(engine, problemText('Invalid option: expected one of "brave"|"none"'))).toBe(
      'Choose one of the options. What searches: brave or none.',
    )
    expect(problemOf(engine, 'Enter 0 or more.')).toBe('Enter 0 or more.')
    expect(problemOf(engine, undefined)).toBeUndefined()
  })

  it('has a name in words, and is found by name, key, group or description', () => {
    expect(labelOf('oauth.oidc.client_id')).toBe('Client ID')
    expect(labelOf('oauth.enable_signup')).toBe('Create accounts on first sign-in')
    expect(labelOf('audio.stt.compat_api_key')).toBe('Compatible API key')
    expect(labelOf('audio.stt.localstt_vad_filter')).toBe('Local silence filter')
    expect(titleOf('audio.stt')).toBe('Speech to text')
    expect(titleOf('oauth.oidc')).toBe('OpenID Connect')
    for (const text of ['', 'client', 'OpenID', 'oidc.client', 'provider shows', 'id connect'])
      expect(matchSettings([entry], text)).toHaveLength(1)
    expect(matchSettings([entry], 'client mail')).toHaveLength(0)
    expect(isIdle(entry)).toBe(true)
    expect(isIdle({ ...entry, isEditable: true })).toBe(false)
    expect(isIdle({ ...entry, isSet: true, source: 'environment' })).toBe(false)
  })
})
