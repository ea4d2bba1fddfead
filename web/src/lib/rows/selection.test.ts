import { expect, it } from 'vitest'
import { toggleRows } from './selection.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const after = (chosen: string[], id: string, from?: string) => [
  ...toggleRows({ chosen: new Set(chosen), ids, id, from }),
]

it('selects and deselects one row', () => {
  expect(after(['a'], 'c')).toEqual(['a', 'c'])
  expect(after(['a', 'c'], 'a')).toEqual(['c'])
})

it('selects or deselects every row of a range, upwards too', () => {
  expect(after(['b'], 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(after(['d'], 'b', 'd')).toEqual(['d', 'b', 'c'])
  expect(after(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['a'])
})

it('selects one row when the range starts at a row that is gone', () => {
  expect(after([], 'c', 'gone')).toEqual(['c'])
})
