import { describe, expect, it } from 'vitest'
import { sayMissing } from './say-missing.ts'

const problem = { node_id: 'a', edge_id: null, field: 'config.model', message: 'is missing' }
const standing = { status: 'Draft' as const, problems: [], live_version: null }

describe('what is missing before a workflow runs', () => {
  it('is what has to be mended, if anything has', () => {
    expect(sayMissing({ ...standing, problems: [problem] })).toContain('one thing is to be mended')
    expect(sayMissing({ ...standing, problems: [problem, problem] })).toContain('2 things are to be mended')
  })

  it('is a review, or the end of one', () => {
    expect(sayMissing(standing)).toContain('submit it for review')
    expect(sayMissing({ ...standing, status: 'Staged' })).toContain('waits for an approval')
  })

  it('is publishing it again after a rollback', () => {
    expect(sayMissing({ ...standing, live_version: 3 })).toContain('rolled back')
  })
})
