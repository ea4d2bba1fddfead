import { expect, it } from 'vitest'
import { createPatience } from './patience.ts'

const nothing = { batch: null, single: null, postponed: null }
const own = new Set([1])

it('takes what is due in own lanes at once, and leaves the others to their nodes', () => {
  const due = [
    { ...nothing, lane: 1, batch: 10, postponed: 9 },
    { ...nothing, lane: 2, batch: 11, postponed: 8 },
  ]
  expect(createPatience().choose(due, own, 0)).toEqual({ usual: [1], postponed: [1], others: [2] })
})

it('takes another lane whose first event is still there at the next check', () => {
  const patience = createPatience()
  const due = [{ ...nothing, lane: 2, batch: 11 }]
  expect(patience.choose(due, own, 0).usual).toEqual([])
  expect(patience.choose(due, own, 500).usual).toEqual([])
  expect(patience.choose(due, own, 1000).usual).toEqual([2])
})

it('leaves a lane alone in which its node makes progress', () => {
  const patience = createPatience()
  for (const second of [0, 1, 2, 3])
    expect(patience.choose([{ ...nothing, lane: 2, batch: second }], own, second * 1000).usual).toEqual([])
})

it('takes a lane in which only single events are stuck', () => {
  const patience = createPatience()
  patience.choose([{ ...nothing, lane: 2, batch: 1, single: 5 }], own, 0)
  expect(patience.choose([{ ...nothing, lane: 2, batch: 2, single: 5 }], own, 1000).usual).toEqual([2])
})
