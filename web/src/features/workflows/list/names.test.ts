import { describe, expect, it } from 'vitest'
import { copyName, fileNameOf } from './names.ts'

describe('the name of a copy', () => {
  it('marks the copy and counts copies of copies', () => {
    expect(copyName('Report')).toBe('Report (copy)')
    expect(copyName('Report (copy)')).toBe('Report (copy 2)')
    expect(copyName('Report (copy 9)')).toBe('Report (copy 10)')
  })

  it('stays within the maximum length', () => {
    expect(copyName('x'.repeat(200))).toHaveLength(200)
    expect(copyName('x'.repeat(200))).toMatch(/ \(copy\)$/)
  })
})

describe('the name of a file', () => {
  it('contains only characters that are safe in file names', () => {
    expect(fileNameOf('Nightly report, v2')).toBe('nightly-report-v2.workflow.json')
    expect(fileNameOf('a/b\\c:d')).toBe('a-b-c-d.workflow.json')
  })

  it('is never empty', () => {
    expect(fileNameOf('???')).toBe('workflow.workflow.json')
  })
})
