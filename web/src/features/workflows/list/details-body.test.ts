import { describe, expect, it } from 'vitest'
import { detailsBody } from './details-body.ts'

const names = { name: 'Orders', description: '' }
const before = { error_workflow_id: null }

describe('the request to update a workflow', () => {
  it('leaves out an unchanged space', () => {
    expect(detailsBody({ ...before, space_id: 's' }, { ...names, space_id: 's' })).toEqual(names)
    expect(detailsBody({ ...before, space_id: null }, { ...names, space_id: '' })).toEqual(names)
  })

  it('sets another space, or none', () => {
    expect(detailsBody({ ...before, space_id: null }, { ...names, space_id: 's' })).toEqual({ ...names, space_id: 's' })
    expect(detailsBody({ ...before, space_id: 's' }, { ...names, space_id: '' })).toEqual({ ...names, space_id: null })
  })

  it('sets the workflow for failures, or none', () => {
    const changed = detailsBody({ space_id: null, error_workflow_id: null }, { ...names, error_workflow_id: 'w' })
    expect(changed).toEqual({ ...names, error_workflow_id: 'w' })
    const removed = detailsBody({ space_id: null, error_workflow_id: 'w' }, { ...names, error_workflow_id: '' })
    expect(removed).toEqual({ ...names, error_workflow_id: null })
  })
})
