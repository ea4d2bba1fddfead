/** Pure. A day as it will stand in the document: `November 18, 2026`. The server writes it the same way. */
import type { FieldType, FieldValue, SigningLanguage } from '@chancery/contract/signing/signing.ts'

export const dayText = (language: SigningLanguage, day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(day)
    ? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn' }).format(
        new Date(`${day}T00:00:00Z`),
      )
    : day

/** Today where the reader is. */
export const today = (now = new Date()): string =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** A value as it is drawn. */
export const shownValue = (language: SigningLanguage, type: FieldType, value: FieldValue): FieldValue =>
  type === 'DATE' && typeof value === 'string' ? dayText(language, value) : value
