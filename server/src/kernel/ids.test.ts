import { expect, it } from 'vitest'
import { isUuid, uuidV7 } from './ids.ts'

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

it('makes ids of version 7 that tell their time, never one twice', () => {
  const times = Array.from({ length: 20_000 }, (_, place) => 1_763_000_000_000 + Math.floor(place / 50))
  const ids = times.map(uuidV7)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isUuid)).toBe(true)
  expect(ids.map(timeOf)).toEqual(times)
  expect(new Set(ids.map((id) => id[14]))).toEqual(new Set(['7']))
  expect(new Set(ids.map((id) => id[19]))).toEqual(new Set(['8', '9', 'a', 'b']))
})

it('leaves no place beside version and variant that is not random', () => {
  const ids = Array.from({ length: 2000 }, () => uuidV7(1_763_000_000_000))
  const places = Array.from({ length: 36 }, (_, place) => place).filter(
    (place) => place > 14 && ![18, 19, 23].includes(place),
  )
  for (const place of places) expect(new Set(ids.map((id) => id[place])).size).toBe(16)
})

it('goes back in time with the clock', () => {
  const [later, earlier] = [uuidV7(1_763_000_000_001), uuidV7(1)]
  expect(timeOf(later)).toBe(1_763_000_000_001)
  expect(timeOf(earlier)).toBe(1)
})
