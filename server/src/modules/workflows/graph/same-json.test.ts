import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical.ts'
import { diffGraphs } from './diff.ts'
import { isSameJson } from './same-json.ts'

describe('sameness of JSON', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const keys = fc.constantFrom('a', 'b', 'constructor', 'toString')
  const small = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(null, 0, 1, '', 'x', true),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 3 }),
    ),
  })).value

  it('is that of the canonical text', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(isSameJson(one, structuredClone(one))).toBe(true)
      }),
    )
    fc.assert(
      fc.property(small, small, (one, other) => {
        expect(isSameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other))
      }),
      { numRuns: 1000 },
    )
  })

  it('looks at no field that every object inherits', () => {
    const graph = (config: Record<string, unknown>) => ({
      nodes: [{ id: 'a', type: 'tool' as const, name: 'A', position: { x: 0, y: 0 }, config }],
      edges: [],
    })
    const { nodes } = diffGraphs(graph({}), graph({ constructor: 'x', toString: null }))
    expect(nodes.changed[0]?.fields).toEqual([{ path: 'config.constructor', before: null, after: 'x' }])
  })
})
