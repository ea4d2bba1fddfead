import { expect, it } from 'vitest'
import { formatDuration } from './durations.ts'

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [1240, '1.2 s'],
  [12_400, '12 s'],
  [59_700, '1 min'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [273_600_000, '3 d 4 h'],
])('%i ms is formatted as %s', (ms, words) => expect(formatDuration(ms)).toBe(words))
