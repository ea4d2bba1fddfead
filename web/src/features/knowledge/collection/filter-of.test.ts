import { expect, it } from 'vitest'
import { filterOf } from './filter-of.ts'

const empty = { name: '', type: '', since: '', metadata: '' }

it('is nothing where nothing was entered, or only half of it', () => {
  expect(filterOf(empty)).toBeUndefined()
  expect(filterOf({ ...empty, name: '  ', metadata: 'year', since: 'soon' })).toBeUndefined()
})

it('holds what was entered, with numbers and booleans as such', () => {
  expect(filterOf({ name: ' ferry ', type: 'application/pdf', since: '', metadata: 'year = 2025' })).toEqual({
    name: 'ferry',
    content_type: 'application/pdf',
    metadata: { year: 2025 },
  })
  expect(filterOf({ ...empty, metadata: 'url=a=b' })?.metadata).toEqual({ url: 'a=b' })
  expect(filterOf({ ...empty, metadata: 'draft=false' })?.metadata).toEqual({ draft: false })
  expect(filterOf({ ...empty, since: '2026-01-31' })?.created_after).toBe(new Date(2026, 0, 31).getTime() / 1000)
})
