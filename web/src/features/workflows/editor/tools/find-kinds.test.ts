import { nodeTypes } from '@chancery/contract/workflows/graph.ts'
import { describe, expect, it } from 'vitest'
import { findKinds } from './find-kinds.ts'

describe('searching node types', () => {
  it('returns all types for an empty search', () => {
    expect(findKinds('')).toEqual(nodeTypes)
  })

  it('lists matches by name first, then by description', () => {
    expect(findKinds('w')[0]).toBe('wait')
    expect(findKinds('workflow')).toEqual(expect.arrayContaining(['for_each', 'subworkflow']))
    expect(findKinds('person')).toEqual(['approval'])
  })

  it('returns nothing if nothing matches', () => {
    expect(findKinds('xylophone')).toEqual([])
  })
})
