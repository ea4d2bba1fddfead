import { describe, expect, it } from 'vitest'
import { detailsBody } from './details-body.ts'

const names = { name: 'Orders', description: '' }

describe('the request to update a workflow', () => {
  it('leaves out an unchanged space', () => {
    expect(detailsBody({ space_id: 's' }, { ...names, space_id: 's' })).toEqual(names)
    expect(detailsBody({ space_id: null }, { ...names, space_id: '' })).toEqual(names)
  })

  it('sets another space, or none', () => {
    expect(detailsBody({ space_id: null }, { ...names, space_id: 's' })).toEqual({ ...names, space_id: 's' })
    expect(detailsBody({ space_id: 's' }, { ...names, space_id: '' })).toEqual({ ...names, space_id: null })
  })
})
