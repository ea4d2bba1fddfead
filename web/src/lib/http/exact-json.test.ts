import { expect, it } from 'vitest'
import { parseJson } from './exact-json.ts'

it.each([
  '{"id":18446744073709551617}',
  '[-90071992547409931,1,"18446744073709551617"]',
  '{"a":{"b":[1.5,null,true]}}',
])('%s is written as it was read', (text) => {
  expect(JSON.stringify(parseJson(text))).toBe(text)
})

it('reads every number that a number can hold as one', () => {
  expect(parseJson('[9007199254740991, 1e21, 0.12345678901234568, -7]')).toEqual([
    9007199254740991, 1e21, 0.12345678901234568, -7,
  ])
})
