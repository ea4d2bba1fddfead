import { expect, it } from 'vitest'
import { counted } from './counted.ts'

it('uses the singular for one, and the plural otherwise', () => {
  expect([0, 1, 2].map((count) => counted(count, 'node'))).toEqual(['0 nodes', '1 node', '2 nodes'])
})
