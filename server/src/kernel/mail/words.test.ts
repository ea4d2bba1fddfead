import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainName, words } from './words.ts'

describe('a name that somebody typed, in a mail', () => {
  it.each([
    ['Ana Example', 'Ana Example'],
    ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
    ['Zoë 株式会社 👩‍👩‍👧', 'Zoë 株式会社 👩‍👩‍👧'],
    ['lease 2026.pdf', 'lease 2026.pdf'],
    ['Ana & Ben @ Acme', 'Ana & Ben @ Acme'],
  ])('is printed as it is: %s', (typed, printed) => expect(plainName(typed)).toBe(printed))

  it.each([
    ['Pay at https://evil.test/x?y=1', 'Pay at evil. test/x?y=1'],
    ['www.evil.test', 'www. evil. test'],
    ['HTTPS://EVIL.TEST', 'EVIL. TEST'],
    ['http://http://evil.test', 'evil. test'],
    ['write to help@evil.test', 'write to help at evil. test'],
    ['evil。test ｅｖｉｌ．test evil.xn--p1ai', 'evil。 test ｅｖｉｌ． test evil. xn--p1ai'],
    ['www.evil.भारत', 'www. evil. भारत'],
    ['evil.test.pdf', 'evil. test.pdf'],
    ['evil.\u200btest', 'evil. test'],
    ['Ana\r\nBcc: x', 'Ana Bcc: x'],
    ['\u202etset.live', 'tset. live'],
    ['http://', '–'],
  ])('is no link and one line: %j', (typed, printed) => expect(plainName(typed)).toBe(printed))

  it('is short', () => {
    expect(plainName('x'.repeat(500))).toBe(`${'x'.repeat(63)}…`)
    expect([...plainName('👋'.repeat(500), 120)]).toHaveLength(120)
  })

  it('takes no longer than its length, whatever is typed', () => {
    const startedAt = performance.now()
    for (const letter of ['a', '.', '://']) plainName(letter.repeat(50_000))
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect(plainName(`${'x'.repeat(50)}://evil.test`)).toBe(`${'x'.repeat(10)}evil. test`)
  })

  it('holds no link whatever is typed', () => {
    const bit = fc.constantFrom(
      'http',
      'https',
      '://',
      ':',
      '/',
      '.',
      '。',
      '@',
      'www',
      'evil',
      'test',
      ' ',
      '\n',
      'a',
      '\u200b',
    )
    fc.assert(
      fc.property(
        fc.array(bit, { maxLength: 12 }).map((bits) => bits.join('')),
        (typed) => {
          const printed = plainName(typed)
          expect(printed).not.toMatch(/:\/\/|\S@\S|[a-z][.。][a-z]{2}|[\n\u200b]/)
          expect(plainName(printed)).toBe(printed)
        },
      ),
    )
  })

  it('stands in a sentence of ours', () => {
    expect(words`Hello ${plainName('Ana\nEve')}, \\ ${3}`).toBe('Hello Ana Eve, \\ 3')
  })
})
