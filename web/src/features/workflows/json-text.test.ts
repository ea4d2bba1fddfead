import { describe, expect, it } from 'vitest'
import { readJson, writeJson } from './json-text.ts'

describe('JSON as typed', () => {
  it('is undefined when nothing is typed', () => {
    expect(readJson('  \n')).toEqual({})
    expect(writeJson(undefined)).toBe('')
  })

  it('round-trips', () => {
    const value = { a: [1, null, 'x'] }
    expect(readJson(writeJson(value))).toEqual({ value })
  })

  it('reports where the mistake is', () => {
    expect(readJson('{\n  "a": 1,\n  b\n}').problem).toBe('This isn’t valid JSON. Check line 3, column 3.')
    expect(readJson('{\n  "a": ').problem).toBe('This isn’t valid JSON. Check line 2, column 8.')
  })
})
