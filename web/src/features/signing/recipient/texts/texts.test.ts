import { describe, expect, it } from 'vitest'
import { browserLanguage } from './texts.ts'

describe('the language of the signing page', () => {
  it('is the first of the browser’s languages that we have, or English', () => {
    expect(browserLanguage(['nl-NL', 'de-AT', 'en'])).toBe('de')
    expect(browserLanguage(['zh-Hant-TW'])).toBe('zh')
    expect(browserLanguage(['nl', 'fi'])).toBe('en')
    expect(browserLanguage([])).toBe('en')
  })
})
