import { describe, expect, it } from 'vitest'
import { factsBody } from './facts-body.ts'

const names = { name: 'Orders', description: '' }

describe('what a changed workflow sends', () => {
  it('leaves out the space that it stands in already', () => {
    expect(factsBody({ space_id: 's' }, { ...names, space_id: 's' })).toEqual(names)
    expect(factsBody({ space_id: null }, { ...names, space_id: '' })).toEqual(names)
  })

  it('names another space, or none', () => {
    expect(factsBody({ space_id: null }, { ...names, space_id: 's' })).toEqual({ ...names, space_id: 's' })
    expect(factsBody({ space_id: 's' }, { ...names, space_id: '' })).toEqual({ ...names, space_id: null })
  })
})
