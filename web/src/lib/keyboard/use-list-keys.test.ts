import { describe, expect, it } from 'vitest'
import { stepIndex } from './use-list-keys.ts'

describe('moving through a list by keyboard', () => {
  it('wraps around', () => {
    expect([0, 1, 2].map((index) => stepIndex(index, 1, 3))).toEqual([1, 2, 0])
    expect([0, 1, 2].map((index) => stepIndex(index, -1, 3))).toEqual([2, 0, 1])
  })

  it('starts at either end if nothing is selected', () => {
    expect(stepIndex(-1, 1, 3)).toBe(0)
    expect(stepIndex(-1, -1, 3)).toBe(2)
  })

  it('continues from the end if the list got shorter, and stays put if it is empty', () => {
    expect(stepIndex(9, 1, 3)).toBe(0)
    expect(stepIndex(9, -1, 3)).toBe(1)
    expect(stepIndex(2, 1, 0)).toBe(2)
  })
})
