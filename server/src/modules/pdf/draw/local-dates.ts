/** Pure. Days and moments in the language of a document, in characters that can be drawn. */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'

/** Marks that only say which way text runs can't be drawn, and aren't needed. */
export const withoutDirectionMarks = (text: string): string => text.replace(/[\u061c\u200e\u200f]/g, '')

/** Making a format takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 100

const formatOf = (language: SigningLanguage, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${language} ${options.timeStyle} ${options.timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...options, numberingSystem: 'latn' })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(key, format)
  return format
}

/** A day as people write it: `November 18, 2026`. */
export const dayText = (language: SigningLanguage, day: string): string =>
  withoutDirectionMarks(formatOf(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)))

/** A moment as people write it, to the second, with its zone. */
export const momentText = (language: SigningLanguage, at: Date, timeZone: string): string =>
  withoutDirectionMarks(
    formatOf(language, { dateStyle: 'long', timeStyle: 'long', timeZone, hourCycle: 'h23' }).format(at),
  )
