import { type SigningLanguage, signingLanguages } from '@chancery/contract/signing/signing.ts'
import { describe, expect, it } from 'vitest'
import { dayText, momentText } from './local-dates.ts'
import { undrawable } from './text/drawable.ts'

describe('a day or a moment', () => {
  it.each(signingLanguages)('is written so that it can be drawn in %s', (language: SigningLanguage) => {
    const texts = [dayText(language, '2026-11-18'), momentText(language, new Date(0), 'Asia/Tokyo')]
    for (const text of texts) expect(undrawable(text)).toEqual([])
    expect(texts[0]).toContain('2026')
  })

  it('is written as its readers write it', () => {
    expect(dayText('en', '2026-11-18')).toBe('November 18, 2026')
    expect(dayText('de', '2026-11-18')).toBe('18. November 2026')
    expect(dayText('ja', '2026-11-18')).toBe('2026年11月18日')
  })
})
