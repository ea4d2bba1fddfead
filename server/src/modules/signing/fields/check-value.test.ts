import type { FieldType, GivenValue } from '@chancery/contract/signing/signing.ts'
import { describe, expect, it } from 'vitest'
import { checkValue } from './check-value.ts'

const check = (type: FieldType, value: GivenValue, rules = {}) =>
  checkValue({ type, rules, box: { width: 100, height: 10 } }, value, {
    undrawable: (text) => [...text].filter((character) => character === '☃'),
    fits: (text, { width }) => text.length <= width,
  })

/** One grey pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

describe('the value of a field', () => {
  it.each<[FieldType, GivenValue, unknown]>([
    ['SIGNATURE', { typed: ' Ana Silva ' }, { typed: 'Ana Silva' }],
    ['SIGNATURE', 'Ana Silva', { typed: 'Ana Silva' }],
    ['INITIALS', { png }, { png }],
    ['SIGNATURE', `data:image/png;base64,${png}`, { png }],
    ['NUMBER', 12.5, '12.5'],
    ['NUMBER', ' 12 ', '12'],
    ['CHECKBOX', 'true', true],
    ['CHECKBOX', false, false],
    ['DATE', '2028-02-29', '2028-02-29'],
    ['TEXT', 'two\nlines', 'two\nlines'],
  ])('of %s may be sent as %j', (type, given, value) => expect(check(type, given)).toEqual({ value }))

  it('that is typed must fit its place in the document, and a choice may be cut off', () => {
    const long = 'x'.repeat(101)
    expect(check('TEXT', long)).toMatchObject({ type: 'value_too_long' })
    expect(check('NAME', long)).toMatchObject({ type: 'value_too_long' })
    expect(check('TEXT', long.slice(1))).toEqual({ value: long.slice(1) })
    expect(check('DROPDOWN', long, { options: [long] })).toEqual({ value: long })
  })

  it.each<[FieldType, GivenValue]>([
    ['SIGNATURE', ''],
    ['SIGNATURE', true],
    ['SIGNATURE', 'x'.repeat(121)],
    ['SIGNATURE', 'data:image/png;base64,!!!!'],
    ['SIGNATURE', `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['INITIALS', { typed: 'a☃' }],
    ['NUMBER', Number.MAX_VALUE],
    ['NUMBER', '12,5'],
    ['CHECKBOX', 'yes'],
    ['DATE', '2027-02-29'],
    ['NAME', 'two\nlines'],
    ['RADIO', 'not an option'],
    ['EMAIL', 'nobody'],
  ])('of %s is refused with a sentence when it is %j', (type, given) =>
    expect(check(type, given)).toEqual({ problem: expect.stringMatching(/\.$|☃|:/) }),
  )

  it('keeps to the rules of its field', () => {
    expect(check('NUMBER', '3', { min: 5 })).toHaveProperty('problem')
    expect(check('TEXT', 'abc', { maxLength: 2 })).toHaveProperty('problem')
    expect(check('TEXT', 'DE12', { pattern: 'AA##' })).toEqual({ value: 'DE12' })
    expect(check('TEXT', 'D112', { pattern: 'AA##' })).toHaveProperty('problem')
    expect(check('DROPDOWN', 'b', { options: ['a', 'b'] })).toEqual({ value: 'b' })
  })
})
