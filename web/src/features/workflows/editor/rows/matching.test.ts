import { describe, expect, it } from 'vitest'
import { matching } from './matching.ts'

const suggestions = [
  { value: 'llama3:8b', label: 'Llama 3', detail: 'llama3:8b' },
  { value: 'wise', label: 'Wise' },
]

describe('suggestions', () => {
  it('finds options by name, ID or detail, ignoring case', () => {
    expect(matching(suggestions, 'LLAMA').map(({ value }) => value)).toEqual(['llama3:8b'])
    expect(matching(suggestions, '8b').map(({ value }) => value)).toEqual(['llama3:8b'])
  })

  it('returns the first options when nothing is typed', () => {
    expect(matching(suggestions, ' ')).toEqual(suggestions)
    expect(matching(suggestions, '', 1)).toHaveLength(1)
  })
})
