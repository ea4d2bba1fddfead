import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLoopShare } from './loop-share.ts'

it('has time for the one who asks first in a turn, and in the next turn again', async () => {
  const share = createLoopShare(10)
  const useUp = () => {
    let pieces = 0
    while (share.hasTime()) pieces += 1
    return pieces
  }
  expect(useUp()).toBeGreaterThan(0)
  expect(share.hasTime()).toBe(false)
  await nextTurn()
  expect(useUp()).toBeGreaterThan(0)
})

it('lets those that wait take turns, and others in between', async () => {
  // No time at all: one goes on in each turn.
  const share = createLoopShare(0)
  const heard: string[] = []
  const left = { a: 3, b: 2 }
  const goOn = (name: 'a' | 'b') => {
    heard.push(name)
    left[name] -= 1
    if (left[name] > 0) share.wait(() => goOn(name))
  }
  share.hasTime()
  share.wait(() => goOn('a'))
  share.wait(() => goOn('b'))
  while (left.a > 0) {
    heard.push('.')
    await nextTurn()
  }
  expect(heard.filter((one) => one !== '.')).toEqual(['a', 'b', 'a', 'b', 'a'])
  expect(heard.join('')).not.toContain('ab')
})
