import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson, ownField } from './same-json.ts'

/** One text for one meaning, by another way: keys in order, and each kind with its name. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return ['list', ...value.map(inOrder)]
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return ['object', ...fields.flatMap(([name, field]) => (field === undefined ? [] : [name, inOrder(field)]))]
}
const keys = fc.constantFrom('a', 'b', 'constructor', 'toString')
const small = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, 0, 1, '', 'x', true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(keys, fc.option(tie('value'), { nil: undefined }), { maxKeys: 3 }),
  ),
})).value

describe('sameness of JSON', () => {
  it('is that of the text, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (one) => {
        expect(isSameJson(one, structuredClone(one))).toBe(true)
      }),
    )
    fc.assert(
      fc.property(small, small, (one, other) => {
        expect(isSameJson(one, other)).toBe(JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other)))
      }),
      { numRuns: 1000 },
    )
  })

  it('takes a field that is undefined for none, and a null for what it is', () => {
    expect(isSameJson({ a: undefined, b: [{ c: undefined }] }, { b: [{}] })).toBe(true)
    expect(isSameJson({ a: null }, {})).toBe(false)
    expect(isSameJson(null, undefined)).toBe(false)
    expect(isSameJson([], {})).toBe(false)
    expect(isSameJson([[]], [{}])).toBe(false)
  })

  it('looks at no field that every object inherits', () => {
    expect(isSameJson({}, { constructor: Object })).toBe(false)
    expect(ownField({}, 'toString')).toBeUndefined()
  })
})
