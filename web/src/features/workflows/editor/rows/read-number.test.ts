import { describe, expect, it } from 'vitest'
import { readNumber, unitOf } from './read-number.ts'

const limits = { min: 1, max: 5000 }

describe('a number as typed', () => {
  it('is undefined when nothing is typed', () => {
    expect(readNumber(' ', limits)).toEqual({})
  })

  it('may have thousands separators', () => {
    expect(readNumber('1,200', limits)).toEqual({ value: 1200 })
  })

  it('reports what is wrong', () => {
    expect(readNumber('many', limits)).toEqual({ problem: 'Enter a number.' })
    expect(readNumber('1.5', limits)).toEqual({ problem: 'Enter a whole number.' })
    expect(readNumber('0', limits)).toEqual({ problem: 'Enter a number from 1 to 5000.' })
  })

  it('may be a fraction where allowed', () => {
    expect(readNumber('0.7', { min: 0, max: 2, isWhole: false })).toEqual({ value: 0.7 })
  })
})

describe('a duration', () => {
  it('is shown in the largest unit that needs no fraction', () => {
    expect(unitOf(90)).toBe(1)
    expect(unitOf(5400)).toBe(60)
    expect(unitOf(7200)).toBe(3600)
    expect(unitOf(172_800)).toBe(86_400)
  })
})
