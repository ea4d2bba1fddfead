/** Pure. Times, numbers and people as a certificate has them. */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'
import { withoutDirectionMarks } from '../local-dates.ts'

/** ISO 8601 → `2026-03-01 10:00:00 UTC`. */
export const utc = (at: string | null): string | null => (at === null ? null : `${plainTime(at)} UTC`)

export const plainTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)}`

export const count = (language: SigningLanguage, value: number): string =>
  new Intl.NumberFormat(language, { numberingSystem: 'latn' }).format(value)

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** In its two largest units: `3 minutes, 20 seconds`. */
export const durationText = (language: SigningLanguage, seconds: number): string => {
  const largest = Math.max(
    0,
    units.findIndex(([, length]) => seconds >= length),
  )
  const first = seconds === 0 ? units.length - 1 : largest
  let left = seconds
  const parts = units.slice(first, first + 2).flatMap(([unit, length]) => {
    const amount = Math.floor(left / length)
    left -= amount * length
    const format = { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn' } as const
    return amount > 0 || first === units.length - 1 ? new Intl.NumberFormat(language, format).format(amount) : []
  })
  return withoutDirectionMarks(new Intl.ListFormat(language, { type: 'unit', style: 'long' }).format(parts))
}

interface Party {
  name: string | null
  email: string | null
}

export const party = ({ name, email }: Party, unknown: string): string => {
  if (name === null || email === null) return name ?? email ?? unknown
  return `${name} <${email}>`
}
