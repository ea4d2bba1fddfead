/** Pure. Days and moments in the language of a document, in characters that can be drawn. */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'

/** Marks that only say which way text runs can't be drawn, and aren't needed. */
export const withoutDirectionMarks = (text: string): string => text.replace(/[\u061c\u200e\u200f]/g, '')

/** A day as people write it: `November 18, 2026`. */
export const dayText = (language: SigningLanguage, day: string): string =>
  withoutDirectionMarks(
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn' }).format(
      new Date(`${day}T00:00:00Z`),
    ),
  )

/** A moment as people write it, to the second, with its zone. */
export const momentText = (language: SigningLanguage, at: Date, timeZone: string): string =>
  withoutDirectionMarks(
    new Intl.DateTimeFormat(language, {
      dateStyle: 'long',
      timeStyle: 'long',
      timeZone,
      hourCycle: 'h23',
      numberingSystem: 'latn',
    }).format(at),
  )
