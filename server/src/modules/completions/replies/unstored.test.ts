import { expect, it } from 'vitest'
import { createUnstored } from './unstored.ts'

it('gives up the oldest ended reply when they become too many for the memory', () => {
  const unstored = createUnstored(10)
  const [first, second] = [unstored.keep(4), unstored.keep(6)]
  const third = unstored.keep(5)
  expect([first, second, third].map(({ signal }) => signal.aborted)).toEqual([true, true, false])
  third.release()
  const [fourth, fifth] = [unstored.keep(9), unstored.keep(1)]
  expect([fourth, fifth].map(({ signal }) => signal.aborted)).toEqual([false, false])
})

it('keeps a single reply however long it is, until the process ends', () => {
  const unstored = createUnstored(10)
  const { signal } = unstored.keep(50)
  expect(signal.aborted).toBe(false)
  unstored.giveUpAll()
  expect(signal.aborted).toBe(true)
})
