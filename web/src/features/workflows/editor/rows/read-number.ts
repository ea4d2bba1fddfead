/** Numbers and durations as people type them. */
import type { Reading } from './use-parsed-text.ts'

export interface Limits {
  min: number
  max: number
  isWhole?: boolean
}

export function readNumber(text: string, { min, max, isWhole = true }: Limits): Reading<number> {
  const plain = text.trim().replaceAll(/[ ,_](?=\d{3})/g, '')
  if (plain === '') return {}
  const value = Number(plain)
  if (!Number.isFinite(value)) return { problem: 'Enter a number.' }
  if (isWhole && !Number.isInteger(value)) return { problem: 'Enter a whole number.' }
  if (value < min || value > max) return { problem: `Enter a number from ${min} to ${max}.` }
  return { value }
}

export const writeNumber = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

export const units = [
  { label: 'seconds', sec: 1 },
  { label: 'minutes', sec: 60 },
  { label: 'hours', sec: 3600 },
  { label: 'days', sec: 86_400 },
] as const

/** The largest unit in which it is a whole number. */
export const unitOf = (sec: number | undefined): number =>
  sec === undefined || sec === 0 ? 60 : (units.findLast((unit) => sec % unit.sec === 0)?.sec ?? 1)
