import { describe, expect, it } from 'vitest'
import { keysAfterClick, keysAfterPress } from './press.ts'

const click = (selected: string[], key: string, isShift = false) => {
  const pressed = keysAfterPress(new Set(selected), key, isShift)
  return { pressed: [...pressed], clicked: [...keysAfterClick(pressed, key, isShift)] }
}

describe('a field that is clicked', () => {
  it('is the only one selected then, and goes with the others when it is dragged', () => {
    expect(click(['a', 'b', 'c'], 'b')).toEqual({ pressed: ['a', 'b', 'c'], clicked: ['b'] })
    expect(click(['a'], 'b')).toEqual({ pressed: ['b'], clicked: ['b'] })
  })

  it('is added with Shift, or taken out', () => {
    expect(click(['a'], 'b', true)).toEqual({ pressed: ['a', 'b'], clicked: ['a', 'b'] })
    expect(click(['a', 'b'], 'b', true)).toEqual({ pressed: ['a'], clicked: ['a'] })
  })
})
