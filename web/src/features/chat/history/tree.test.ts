import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyOf, message } from './sample.ts'
import { type History, isUnder, leafUnder, siblingsOf, threadOf } from './tree.ts'

const ids = (list: { id: string }[]) => list.map(({ id }) => id)

const branched = historyOf(
  {
    q: ['user', null],
    a: ['assistant', 'q'],
    b: ['assistant', 'q'],
    q2: ['user', 'a'],
    a2: ['assistant', 'q2'],
    p: ['user', null],
  },
  'a2',
)

describe('a conversation as a tree', () => {
  it('returns the path from the first message to a leaf', () => {
    expect(ids(threadOf(branched, 'a2'))).toEqual(['q', 'a', 'q2', 'a2'])
    expect(threadOf(branched, 'nobody')).toEqual([])
    expect(threadOf(branched, null)).toEqual([])
  })

  it('finds the other versions of a message, including the first one', () => {
    expect(ids(siblingsOf(branched, message('b', { role: 'assistant', parentId: 'q' })))).toEqual(['a', 'b'])
    expect(ids(siblingsOf(branched, message('q')))).toEqual(['q', 'p'])
  })

  it('continues a branch where it was left', () => {
    expect(leafUnder(branched, 'q')).toBe('a2')
    expect(leafUnder(branched, 'b')).toBe('b')
  })

  it('prefers the first column if none was chosen', () => {
    const compared = historyOf(
      { q: ['user', null], a: ['assistant', 'q', 0], b: ['assistant', 'q', 1], c: ['assistant', 'q', 0] },
      'a',
    )
    expect(leafUnder(compared, 'q')).toBe('c')
  })

  it('knows whether a message comes after another', () => {
    expect(isUnder(branched, 'a2', 'q')).toBe(true)
    expect(isUnder(branched, 'b', 'a')).toBe(false)
    expect(isUnder(branched, 'b', null)).toBe(true)
  })

  it('terminates for any links, including cycles and unknown IDs', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor')
    const node = fc.record({
      parentId: fc.option(id),
      childrenIds: fc.array(id),
      role: fc.constantFrom('user', 'assistant'),
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(id, node)), id, (nodes, start) => {
        const messages = Object.fromEntries(nodes.map(([own, fields]) => [own, message(own, fields)]))
        const history: History = { currentId: start, messages }
        expect(threadOf(history, start).length).toBeLessThanOrEqual(nodes.length)
        expect(typeof leafUnder(history, start)).toBe('string')
      }),
    )
  })
})
