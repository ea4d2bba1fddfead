import type { VersionItem } from '@chancery/contract/workflows/workflows.ts'
import { describe, expect, it } from 'vitest'
import { firstComparison, sidesOf, versionBefore, versionLabel } from './side-labels.ts'

const version = (number: number, live = false): VersionItem => ({
  id: `id-${number}`,
  version: number,
  type: live ? 'Published' : 'Manual',
  timestamp: 0,
  notes: '',
  rolled_back_to: null,
  live,
  author: { id: 'a', name: 'Ana' },
})

describe('the sides of a comparison', () => {
  it('are the draft and every loaded version, by number', () => {
    expect(sidesOf([version(2, true), version(1)]).map(({ key }) => key)).toEqual(['draft', '2', '1'])
    expect(versionLabel(version(2, true))).toBe('Version 2 · Published, latest')
  })

  it('include a version that only the URL names', () => {
    expect(sidesOf([version(9)], '3', 'draft', undefined, '3').map(({ key }) => key)).toEqual(['draft', '9', '3'])
  })

  it('default to the previous version', () => {
    expect(versionBefore(3)).toBe('2')
    expect(versionBefore(1)).toBeUndefined()
    expect(firstComparison(3)).toEqual({ from: '2', to: '3' })
    expect(firstComparison(1)).toEqual({ from: '1', to: 'draft' })
  })
})
