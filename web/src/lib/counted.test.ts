import { expect, it } from 'vitest'
import { counted } from './counted.ts'

it('says one of a thing in the singular, and none or several in the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'node'))).toEqual(['0 nodes', '1 node', '2 nodes'])
})
