import { describe, expect, it } from 'vitest'
import { missingIn, shownValues, variablesIn } from './variables.ts'

describe('variables of a text', () => {
  it('are its names, each once, and neither tags nor escaped braces', () => {
    expect(variablesIn('{{b}} {{ a }} {{sig:a}} {{b}} \\{{c}} {{}} {{d e}} {{größe.x}}')).toEqual(['b', 'a', 'größe.x'])
  })

  it('show their name while they have no value, and are missing then', () => {
    expect(shownValues(['a', 'b'], { a: '1' })).toEqual({ a: '1', b: '[b]' })
    expect(missingIn(['a', 'b', 'c'], { a: '1', b: ' ' })).toEqual(['b', 'c'])
  })
})
