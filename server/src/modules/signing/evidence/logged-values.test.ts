import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { describe, expect, it } from 'vitest'
import { loggedChanges, loggedValues } from './logged-values.ts'

const changesOf = (values: readonly string[]) =>
  values.map((after, index) => ({ fieldId: `field ${index}`, before: null, after }))

describe('values in the audit log', () => {
  it('are as they are, but signatures are told by their kind and hash alone', () => {
    const png = Buffer.from('a picture').toString('base64')
    const values: (FieldValue | null)[] = ['Berlin', true, null, { typed: 'Sam' }, { png }]
    expect(loggedValues(values)).toEqual([
      'Berlin',
      true,
      null,
      { mark: 'typed', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { mark: 'drawn', sha256: '92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b' },
    ])
    expect(JSON.stringify(loggedValues(values))).not.toContain(png)
  })

  it('are shortened where they are long and many, and never inside a character', () => {
    const long = '😀'.repeat(150)
    expect(loggedValues([long])).toEqual([long])
    expect(loggedValues([long, 'short'], 10)).toEqual([
      { begins: '😀'.repeat(100), characters: 150, sha256: expect.any(String) },
      'short',
    ])
  })

  it('name each change, until there are so many that a log could not be sealed', () => {
    const one = changesOf(['A'])
    expect(loggedChanges(one, { entries: 0 })).toEqual({ changes: [{ fieldId: 'field 0', before: null, after: 'A' }] })
    expect(loggedChanges([], { entries: 0 })).toBeUndefined()
    const many = changesOf(Array.from({ length: 100 }, () => 'B'.repeat(90)))
    expect(loggedChanges(many, { entries: 0 })).toHaveProperty('changes')
    expect(loggedChanges(many, { entries: 200 })).toEqual({ count: 100, changesSha256: expect.any(String) })
    expect(loggedChanges(one, { entries: 2_000 })).toEqual({ count: 1, changesSha256: expect.any(String) })
    expect(loggedChanges(one, { entries: 5_000 })).toBeUndefined()
  })

  it('need little room, whatever is sent', () => {
    const most = changesOf(Array.from({ length: 2_000 }, () => '\\'.repeat(2_000)))
    expect(JSON.stringify(loggedChanges(most, { entries: 0 })).length).toBeLessThan(200)
    expect(JSON.stringify(loggedValues(most.map(({ after }) => after))).length).toBeLessThan(1_000_000)
  })
})
