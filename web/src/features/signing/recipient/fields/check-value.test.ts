import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/en.ts'
import { problemOf } from './check-value.ts'

const check = (field: Partial<Parameters<typeof problemOf>[0]>, value: FieldValue | null) =>
  problemOf({ type: 'TEXT', required: true, ...field }, value, en)

describe('a value of the signing page', () => {
  it('is missing when it is empty or unticked, unless the field is optional', () => {
    expect(check({}, '')).toBe(en.problem.required)
    expect(check({ type: 'CHECKBOX' }, false)).toBe(en.problem.tick)
    expect(check({ type: 'DROPDOWN' }, null)).toBe(en.problem.choose)
    expect(check({ type: 'CHECKBOX', required: false }, false)).toBeUndefined()
  })

  it('keeps to the rules of its field', () => {
    expect(check({ type: 'NUMBER', min: 2 }, '1')).toBe(en.problem.atLeast(2))
    expect(check({ type: 'NUMBER', max: 2 }, '2.5')).toBe(en.problem.atMost(2))
    expect(check({ type: 'NUMBER' }, '1,5')).toBe(en.problem.number)
    expect(check({ type: 'EMAIL' }, 'ana at example')).toBe(en.problem.email)
    expect(check({ maxLength: 3 }, 'four')).toBe(en.problem.tooLong(3))
    expect(check({ pattern: 'DE## A*' }, 'DE12 xy')).toBeUndefined()
    expect(check({ pattern: 'DE## A*' }, 'DE12 x')).toBe(en.problem.pattern('DE## A*'))
  })
})
