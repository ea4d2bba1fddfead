import { expect, it } from 'vitest'
import { formatBytes } from './bytes.ts'

it('formats a size in the largest unit with a whole part', () => {
  expect([0, 1, 1023, 1024, 1536, 5 * 1024 ** 3, 3 * 1024 ** 5].map(formatBytes)).toEqual([
    '0 bytes',
    '1 bytes',
    '1,023 bytes',
    '1 KB',
    '1.5 KB',
    '5 GB',
    '3,072 TB',
  ])
})
