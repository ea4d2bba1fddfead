import { describe, expect, it } from 'vitest'
import { nextSort, sortRows } from './row-order.ts'

describe('the order of rows', () => {
  it('goes from ascending to descending and back to the list’s own order', () => {
    expect(nextSort(undefined, 'name')).toBe('name')
    expect(nextSort('name', 'name')).toBe('-name')
    expect(nextSort('-name', 'name')).toBeUndefined()
    expect(nextSort('-name', 'created')).toBe('created')
  })

  it('compares names as people read them, and numbers as numbers', () => {
    const sorted = (values: (string | number)[], sort = 'a') => sortRows(values, sort, (value) => value)
    expect(sorted(['file 10', 'File 2', 'ärmel', 'Zoo', 'file 1'])).toEqual([
      'ärmel',
      'file 1',
      'File 2',
      'file 10',
      'Zoo',
    ])
    expect(sorted([10, 9, 100], '-a')).toEqual([100, 10, 9])
  })

  it('puts rows without a value last in both directions and keeps the order of equal ones', () => {
    const rows = [
      { id: 1, at: null },
      { id: 2, at: 5 },
      { id: 3, at: 7 },
      { id: 4, at: 5 },
    ]
    const idsBy = (sort: string) => sortRows(rows, sort, ({ at }) => at).map(({ id }) => id)
    expect(idsBy('at')).toEqual([2, 4, 3, 1])
    expect(idsBy('-at')).toEqual([3, 2, 4, 1])
  })
})
