import { nodeTypes } from '@chancery/contract/workflow-graph.ts'
import { describe, expect, it } from 'vitest'
import { findKinds } from './find-kinds.ts'

describe('types of node by a typed text', () => {
  it('are all where nothing is typed', () => {
    expect(findKinds('')).toEqual(nodeTypes)
  })

  it('come by name first, then by what they are for', () => {
    expect(findKinds('w')[0]).toBe('wait')
    expect(findKinds('workflow')).toEqual(expect.arrayContaining(['for_each', 'subworkflow']))
    expect(findKinds('person')).toEqual(['approval'])
  })

  it('are none for what nothing is called', () => {
    expect(findKinds('xylophone')).toEqual([])
  })
})
