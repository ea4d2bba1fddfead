import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertSafeKeys, mergeJson } from './merge.ts'

const unsafe = ['__proto__', 'constructor', 'prototype'] as const
const plainKey = fc.string({ maxLength: 6 }).filter((key) => !unsafe.some((name) => name === key))

/** JSON as it comes off the wire, with few distinct keys so that both sides often share one. */
const json = (key: fc.Arbitrary<string>) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 5 })),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => fromWire(entries)),
    ),
  })).value

/** Written and parsed again: only JSON.parse makes an own key named `__proto__`. */
const fromWire = (entries: [string, unknown][]): unknown =>
  JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`)

const safeJson = json(fc.oneof(fc.constantFrom('a', 'b', 'c'), plainKey))
const anyJson = json(fc.oneof(fc.constantFrom('a', 'b', 'toString', ...unsafe), plainKey))
const textOf = (value: unknown) => JSON.stringify(value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

describe('merging JSON', () => {
  it('merges objects, and lets arrays, scalars and null replace', () => {
    const target = { keep: 1, list: [1, 2, 3], gone: 'x', deep: { left: 1, right: 2 }, scalar: 5 }
    const patch = { list: [9], gone: null, deep: { right: { more: true } }, scalar: { now: 'object' }, fresh: false }

    expect(mergeJson(target, patch)).toEqual({
      keep: 1,
      list: [9],
      gone: null,
      deep: { left: 1, right: { more: true } },
      scalar: { now: 'object' },
      fresh: false,
    })
  })

  it('leaves a key alone that the patch holds as undefined', () => {
    expect(textOf(mergeJson({ a: 1 }, { a: undefined, b: undefined }))).toBe('{"a":1}')
  })

  it('replaces the whole value when either side is not an object', () => {
    expect(mergeJson({ a: 1 }, null)).toBeNull()
    expect(mergeJson({ a: 1 }, [1])).toEqual([1])
    expect(mergeJson([1, 2], { a: 1 })).toEqual({ a: 1 })
    expect(mergeJson('text', 7)).toBe(7)
  })

  it.each(unsafe)('refuses the key %s at any depth of either side', (key) => {
    const poisoned: unknown = JSON.parse(`{"a":[{"b":{"${key}":{"polluted":true}}}]}`)
    for (const act of [
      () => mergeJson({}, poisoned),
      () => mergeJson(poisoned, {}),
      () => mergeJson(poisoned, { other: 1 }),
      () => assertSafeKeys(poisoned),
    ])
      expect(act).toThrowError(expect.objectContaining({ code: 'unsafe_key' }))
  })

  it('refuses what is nested deeper than 64 levels, also when only one side is', () => {
    expect(mergeJson(nested(64), nested(64))).toEqual(nested(64))
    const tooDeep = expect.objectContaining({ code: 'invalid_request' })
    expect(() => mergeJson({}, nested(65))).toThrowError(tooDeep)
    expect(() => mergeJson(nested(65), {})).toThrowError(tooDeep)
    expect(() => mergeJson(nested(65), nested(65))).toThrowError(tooDeep)
    expect(() => assertSafeKeys(JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`))).toThrowError(tooDeep)
  })

  it('answers objects without a prototype, so that an id such as toString finds nothing', () => {
    const merged = mergeJson({ a: { b: 1 } }, {}) as Record<string, Record<string, unknown>>
    expect(merged.toString).toBeUndefined()
    expect(merged.a?.hasOwnProperty).toBeUndefined()
  })

  it('gives the same result when the patch is merged twice', () => {
    fc.assert(
      fc.property(safeJson, safeJson, (target, patch) => {
        const once = mergeJson(target, patch)
        expect(textOf(mergeJson(once, patch))).toBe(textOf(once))
      }),
    )
  })

  it('keeps every key that the patch does not name', () => {
    fc.assert(
      fc.property(safeJson.filter(isObject), safeJson.filter(isObject), (target, patch) => {
        const merged = mergeJson(target, patch) as Record<string, unknown>
        for (const key of Object.keys(target))
          if (!Object.hasOwn(patch, key)) expect(textOf(merged[key])).toBe(textOf(target[key]))
        for (const key of Object.keys(patch)) expect(Object.hasOwn(merged, key)).toBe(true)
      }),
    )
  })

  it('changes neither argument and shares no object with them', () => {
    fc.assert(
      fc.property(safeJson, safeJson, (target, patch) => {
        const before = textOf([target, patch])
        spoil(mergeJson(target, patch))
        expect(textOf([target, patch])).toBe(before)
      }),
    )
  })

  it('never changes Object.prototype, whatever comes', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort()
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        try {
          mergeJson(target, patch)
        } catch (problem) {
          expect(problem).toMatchObject({ code: 'unsafe_key' })
        }
        expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before)
        expect(({} as Record<string, unknown>).a).toBeUndefined()
      }),
    )
  })
})

/** Writes into every object and array of a value. */
const spoil = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  for (const child of Object.values(value)) spoil(child)
  if (Array.isArray(value)) value.push('spoilt')
  else Object.assign(value, { spoilt: true })
}
