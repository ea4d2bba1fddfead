import { describe, expect, it } from 'vitest'
import { readJson, writeJson } from './json-text.ts'

describe('JSON as it is typed', () => {
  it('is nothing where nothing is typed', () => {
    expect(readJson('  \n')).toEqual({})
    expect(writeJson(undefined)).toBe('')
  })

  it('comes back as it was written', () => {
    const value = { a: [1, null, 'x'] }
    expect(readJson(writeJson(value))).toEqual({ value })
  })

  it('tells where it breaks', () => {
    expect(readJson('{\n  "a": 1,\n  b\n}').problem).toBe('This is not JSON: see line 3, column 3.')
    expect(readJson('{\n  "a": ').problem).toBe('This is not JSON: see line 2, column 8.')
  })
})
