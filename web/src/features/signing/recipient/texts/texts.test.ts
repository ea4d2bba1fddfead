import { signingLanguages } from '@chancery/contract/signing/signing.ts'
import { describe, expect, it } from 'vitest'
import { en } from './en.ts'
import { browserLanguage, loadTexts } from './texts.ts'

describe('the language of the signing page', () => {
  it('is the first of the browser’s languages that we have, or English', () => {
    expect(browserLanguage(['nl-NL', 'de-AT', 'en'])).toBe('de')
    expect(browserLanguage(['zh-Hant-TW'])).toBe('zh')
    expect(browserLanguage(['nl', 'fi'])).toBe('en')
    expect(browserLanguage([])).toBe('en')
  })

  it.each(signingLanguages.filter((language) => language !== 'en'))(
    'has every text in %s, with everything that the English one names',
    async (language) => {
      const [english, translated] = [spoken(en), spoken(await loadTexts[language]())]
      expect([...translated.keys()]).toEqual([...english.keys()])
      for (const [key, text] of translated) {
        const original = english.get(key) ?? ''
        expect(text.trim(), key).not.toBe('')
        expect(namedIn(text), key).toEqual(namedIn(original))
        // Words can be the same in two languages, a sentence can't.
        if (original.split(' ').length > 2) expect(text, key).not.toBe(original)
      }
    },
  )
})

const given = [4711, 4712] as const
const namedIn = (text: string): number[] => given.filter((value) => text.includes(String(value)))

/** Every text by its path; those with gaps are filled with numbers that no text has of its own. */
const spoken = (texts: object, path = ''): Map<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([name, text]: [string, unknown]) => {
      const key = `${path}${name}`
      if (typeof text === 'function') return [[key, String(text(...given))] as const]
      return typeof text === 'string' ? [[key, text] as const] : [...spoken(text as object, `${key}.`)]
    }),
  )
