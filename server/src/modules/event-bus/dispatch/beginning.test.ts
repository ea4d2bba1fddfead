import { expect, it } from 'vitest'
import { createBeginning } from './beginning.ts'

it('looks begin behind what was dispatched two seconds ago, never behind what came since', () => {
  const beginning = createBeginning()
  expect(beginning.take()).toBe(0)
  beginning.done(100, 1000)
  beginning.done(200, 1500)
  expect(beginning.take()).toBe(0)
  beginning.done(300, 3000)
  expect(beginning.take()).toBe(101)
  beginning.done(400, 4999)
  expect(beginning.take()).toBe(101)
  beginning.done(500, 5000)
  expect(beginning.take()).toBe(301)
})

it('a look from the start is one look', () => {
  const beginning = createBeginning()
  beginning.done(100, 0)
  beginning.done(200, 2000)
  beginning.fromTheStart()
  expect([beginning.take(), beginning.take()]).toEqual([0, 101])
})
