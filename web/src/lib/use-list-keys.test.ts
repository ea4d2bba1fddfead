import { describe, expect, it } from 'vitest'
import { stepPlace } from './use-list-keys.ts'

describe('the place in a list that is walked by key', () => {
  it('goes round the ends', () => {
    expect([0, 1, 2].map((place) => stepPlace(place, 1, 3))).toEqual([1, 2, 0])
    expect([0, 1, 2].map((place) => stepPlace(place, -1, 3))).toEqual([2, 0, 1])
  })

  it('begins at either end where nothing is chosen yet', () => {
    expect(stepPlace(-1, 1, 3)).toBe(0)
    expect(stepPlace(-1, -1, 3)).toBe(2)
  })

  it('is left from the end where the list grew shorter, and stays where there is none', () => {
    expect(stepPlace(9, 1, 3)).toBe(0)
    expect(stepPlace(9, -1, 3)).toBe(1)
    expect(stepPlace(2, 1, 0)).toBe(2)
  })
})
