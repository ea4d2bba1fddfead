import { describe, expect, it } from 'vitest'
import { pressOf, type Shortcut, step } from './keyboard.ts'

const shortcut = (keys: string): Shortcut => ({ keys, label: keys, run: () => {} })
const shortcuts = ['g c', 'g d', '?', 'mod+k', 'c'].map(shortcut)
const press = (key: string, held: { metaKey?: boolean; ctrlKey?: boolean; shiftKey?: boolean } = {}) =>
  pressOf({ key, metaKey: false, ctrlKey: false, altKey: false, ...held })

describe('keyboard shortcuts', () => {
  it('waits for the rest of a sequence', () => {
    const first = step(shortcuts, '', 'g')
    expect(first).toEqual({ hit: undefined, pending: 'g' })
    expect(step(shortcuts, first.pending, 'd').hit?.keys).toBe('g d')
  })

  it('prefers a sequence over the single key that ends it', () => {
    expect(step(shortcuts, 'g', 'c').hit?.keys).toBe('g c')
    expect(step(shortcuts, '', 'c').hit?.keys).toBe('c')
  })

  it('treats a key that continues nothing as a new start', () => {
    expect(step(shortcuts, 'g', '?').hit?.keys).toBe('?')
    expect(step(shortcuts, 'g', 'x')).toEqual({ hit: undefined, pending: '' })
  })

  it('treats control and command as the same modifier', () => {
    expect(press('K', { metaKey: true })).toBe('mod+k')
    expect(press('k', { ctrlKey: true })).toBe('mod+k')
  })

  it('counts shift in a chord, but not if it only produces another character', () => {
    expect(press('O', { ctrlKey: true, shiftKey: true })).toBe('mod+shift+o')
    expect(press('?', { shiftKey: true })).toBe('?')
  })
})
