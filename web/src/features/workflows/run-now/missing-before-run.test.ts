import { describe, expect, it } from 'vitest'
import { missingBeforeRun } from './missing-before-run.ts'

const problem = { node_id: 'a', edge_id: null, field: 'config.model', message: 'is missing' }
const standing = { status: 'Draft' as const, problems: [], live_version: null }

describe('what is missing before a workflow can run', () => {
  it('is fixing the problems, if there are any', () => {
    expect(missingBeforeRun({ ...standing, problems: [problem] })).toContain('fix 1 problem')
    expect(missingBeforeRun({ ...standing, problems: [problem, problem] })).toContain('fix 2 problems')
  })

  it('is a review, or its decision', () => {
    expect(missingBeforeRun(standing)).toContain('submit it for review')
    expect(missingBeforeRun({ ...standing, status: 'Staged' })).toContain('waiting for approval')
  })

  it('is publishing again after a rollback', () => {
    expect(missingBeforeRun({ ...standing, live_version: 3 })).toContain('rolled back')
  })
})
