import { describe, expect, it } from 'vitest'
import { joinLetters } from './arabic.ts'
import { drawableText, undrawable } from './drawable.ts'
import { startsRight, visualOrder } from './visual-order.ts'

describe('text that is drawn', () => {
  it.each([
    'Grüße aus Łódź, São Paulo, Việt Nam',
    'Ελληνικά Русский Հայերեն ქართული',
    'שלום עולם',
    'السلام عليكم، گچپژ',
    '张伟 張偉 山田太郎 やまだ ヤマダ 김철수',
    '1.234,56 € £ ¥ – “quoted” ½ № ✓',
    'e\u0301 is composed first',
    'line one\nline two',
  ])('may hold %s', (text) => {
    expect(undrawable(text)).toEqual([])
  })

  it.each([
    ['emoji', 'Bob 😀 👨‍👩‍👧', ['😀', '👨‍👩‍👧']],
    ['scripts that need shaping', 'नि', ['नि']],
    ['Thai', 'ไทย', ['ไ', 'ท', 'ย']],
    ['marks that cannot be composed', 'x\u0301', ['x\u0301']],
    ['vowel points', 'שָׁ', ['שָׁ']],
    ['characters that turn text around', 'a\u202eb', ['\u202e']],
    ['control characters', 'a\u0007b', ['\u0007']],
    ['private characters', '\ue000', ['\ue000']],
  ])('is refused with %s, each character named once', (_name, text, refused) => {
    expect(undrawable(`${text}${text}`)).toEqual(refused)
  })

  it('shows what cannot be drawn by its number where it was not refused', () => {
    expect(drawableText('a😀')).toBe('a[U+1F600]')
  })
})

describe('Arabic letters', () => {
  it('take the form that fits their neighbours', () => {
    // meem initial, hah medial, meem medial, dal final
    expect(joinLetters('محمد')).toBe('\ufee3\ufea4\ufee4\ufeaa')
    // alef joins only what is before it, so reh starts anew
    expect(joinLetters('دار')).toBe('\ufea9\ufe8d\ufead')
  })

  it('join lam and alef into one', () => {
    expect(joinLetters('لا')).toBe('\ufefb')
    expect(joinLetters('سلام')).toBe('\ufeb3\ufefc\ufee1')
  })

  it('are not joined across a space, a Latin letter or a mark that parts them', () => {
    expect(joinLetters('ب ب')).toBe('\ufe8f \ufe8f')
    expect(joinLetters('بaب')).toBe('\ufe8fa\ufe8f')
    expect(joinLetters('ب\u200cب')).toBe('\ufe8f\u200c\ufe8f')
  })
})

describe('the order of drawing', () => {
  it('turns Hebrew around, keeps numbers, and mirrors brackets', () => {
    expect(visualOrder('אב (גד) 12')).toBe('12 (דג) בא')
    expect(startsRight('אב 12')).toBe(true)
  })

  it('leaves other text as it is', () => {
    expect(visualOrder('left (to) right')).toBe('left (to) right')
    expect(startsRight('left אב')).toBe(false)
  })
})
