import { describe, expect, it } from 'vitest'
import { factsBody } from './facts-body.ts'

const names = { name: 'Orders', description: '' }

describe('the request to update a workflow', () => {
  it('leaves out an unchanged space', () => {
    expect(factsBody({ space_id: 's' }, { ...names, space_id: 's' })).toEqual(names)
    expect(factsBody({ space_id: null }, { ...names, space_id: '' })).toEqual(names)
  })

  it('sets another space, or none', () => {
    expect(factsBody({ space_id: null }, { ...names, space_id: 's' })).toEqual({ ...names, space_id: 's' })
    expect(factsBody({ space_id: 's' }, { ...names, space_id: '' })).toEqual({ ...names, space_id: null })
  })
})
