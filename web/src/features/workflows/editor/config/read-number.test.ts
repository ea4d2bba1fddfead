import { describe, expect, it } from 'vitest'
import { readNumber, unitOf } from './read-number.ts'

const limits = { min: 1, max: 5000 }

describe('a number as it is typed', () => {
  it('is none where nothing is typed', () => {
    expect(readNumber(' ', limits)).toEqual({})
  })

  it('may have its thousands apart', () => {
    expect(readNumber('1,200', limits)).toEqual({ value: 1200 })
  })

  it('is told what is wrong with it', () => {
    expect(readNumber('many', limits)).toEqual({ problem: 'Must be a number.' })
    expect(readNumber('1.5', limits)).toEqual({ problem: 'Must be a whole number.' })
    expect(readNumber('0', limits)).toEqual({ problem: 'Must be from 1 to 5000.' })
  })

  it('may be a fraction where that is allowed', () => {
    expect(readNumber('0.7', { min: 0, max: 2, isWhole: false })).toEqual({ value: 0.7 })
  })
})

describe('a length of time', () => {
  it('is said in the largest unit that needs no fraction', () => {
    expect(unitOf(90)).toBe(1)
    expect(unitOf(5400)).toBe(60)
    expect(unitOf(7200)).toBe(3600)
    expect(unitOf(172_800)).toBe(86_400)
  })
})
