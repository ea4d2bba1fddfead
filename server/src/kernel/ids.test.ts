import { expect, it } from 'vitest'
import { createIds, isUuid } from './ids.ts'

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
const start = 1_763_000_000_000
const isRising = (ids: string[]) => ids.every((id, index) => index === 0 || id > (ids[index - 1] as string))

it('makes ids of version 7 that tell their time and rise, many in each millisecond', () => {
  let count = 0
  const ids = createIds(() => start + Math.floor(count / 500))
  const made = Array.from({ length: 20_000 }, (_, index) => {
    count = index
    return ids.next()
  })
  expect(isRising(made)).toBe(true)
  expect(made.every(isUuid)).toBe(true)
  expect(made.map(timeOf)).toEqual(made.map((_, index) => start + Math.floor(index / 500)))
  expect(new Set(made.map((id) => id[14]))).toEqual(new Set(['7']))
  expect(new Set(made.map((id) => id[19]))).toEqual(new Set(['8', '9', 'a', 'b']))
})

it('rises when the clock is set back, and goes on with the clock once that has caught up', () => {
  const times = [start, start - 3_600_000, start - 1, start, start + 1]
  const ids = createIds(() => times.shift() ?? start + 1)
  const made = Array.from({ length: 6 }, () => ids.next())
  expect(isRising(made)).toBe(true)
  expect(made.map(timeOf)).toEqual([start, start, start, start, start + 1, start + 1])
})

it('makes different ids in several processes, at the same time', () => {
  const [one, other] = [createIds(() => start), createIds(() => start)]
  const ids = Array.from({ length: 5000 }, () => [one.next(), other.next()]).flat()
  expect(new Set(ids).size).toBe(ids.length)
  for (let digit = 24; digit < 36; digit += 1) expect(new Set(ids.map((id) => id[digit])).size).toBe(16)
})
