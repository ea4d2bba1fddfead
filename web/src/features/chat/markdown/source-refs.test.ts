import { describe, expect, it } from 'vitest'
import { type ParentNode, sourceRefs } from './source-refs.ts'

const paragraph = (value: string, tagName = 'p'): ParentNode => ({
  type: 'root',
  children: [{ type: 'element', tagName, properties: {}, children: [{ type: 'text', value }] }],
})

const numbersIn = (tree: ParentNode) => JSON.stringify(tree).match(/"number":\d+/g) ?? []

describe('citation marks', () => {
  it('are created for numbers that have a source', () => {
    const tree = paragraph('One [1], both [1][2], none [3] and [0].')
    sourceRefs({ count: 2 })(tree)
    expect(numbersIn(tree)).toEqual(['"number":1', '"number":1', '"number":2'])
    expect(JSON.stringify(tree)).toContain('none [3] and [0].')
  })

  it('are not created inside code and links', () => {
    for (const tag of ['code', 'pre', 'a']) {
      const tree = paragraph('a[1]', tag)
      sourceRefs({ count: 2 })(tree)
      expect(numbersIn(tree)).toEqual([])
    }
  })
})
