import { describe, expect, it } from 'vitest'
import { formatRelative } from './times.ts'

const now = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('a time in words', () => {
  it.each([
    [0, 'just now'],
    [-44, 'just now'],
    [20, 'in a moment'],
    [-90, '1 minute ago'],
    [-3600, '1 hour ago'],
    [-2 * 86_400, '2 days ago'],
    [-86_400, 'yesterday'],
    [14 * 86_400, 'in 14 days'],
    [30 * 86_400, 'in 30 days'],
    [30 * 86_400 - 60, 'in 30 days'],
    [-400 * 86_400, 'last year'],
  ])('%i seconds away is "%s"', (seconds, words) => {
    expect(formatRelative(after(seconds), now)).toBe(words)
  })
})
