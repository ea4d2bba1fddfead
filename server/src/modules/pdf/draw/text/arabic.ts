/**
 * Joins Arabic letters. PDF text is drawn glyph by glyph, so each letter is replaced by the Unicode presentation form
 * that fits its neighbours. Pure.
 */

/** By letter: isolated, final, and for letters that join on both sides initial and medial. */
const forms = new Map<string, string[]>()
const lamWithAlef = new Map<string, string[]>()

/** Unicode says which letter each form belongs to, and lists the forms of a letter in this order. */
for (const [from, to] of [
  [0xfe80, 0xfefc],
  [0xfb50, 0xfbff],
] as const)
  for (let code = from; code <= to; code += 1) {
    const form = String.fromCodePoint(code)
    const letter = form.normalize('NFKC')
    if (letter === form || letter.length > 2) continue
    if (letter.length === 2 && !letter.startsWith('\u0644')) continue
    const table = letter.length === 2 ? lamWithAlef : forms
    table.set(letter, [...(table.get(letter) ?? []), form])
  }

const tatweel = '\u0640'
const arabicLetter = /^\p{Script=Arabic}$/u
const isLetter = (char: string): boolean => arabicLetter.test(char) && /\p{L}/u.test(char)

/** False for letters of languages that have no presentation forms. */
export const canJoin = (char: string): boolean => !isLetter(char) || forms.has(char)

const joinsNext = (char: string | undefined): boolean =>
  char === tatweel || (char !== undefined && (forms.get(char)?.length ?? 0) > 2)

const joinsPrevious = (char: string | undefined): boolean =>
  char === tatweel || (char !== undefined && (forms.get(char)?.length ?? 0) > 1)

/** In the order of reading; turning it into the order of drawing comes after. */
export const joinLetters = (text: string): string => (/\p{Script=Arabic}/u.test(text) ? join([...text]) : text)

const join = (chars: readonly string[]): string => {
  let joined = ''
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? ''
    const isAfter = joinsNext(chars[at - 1]) && joinsPrevious(char)
    const ligature = lamWithAlef.get(char + (chars[at + 1] ?? ''))
    const isBefore = joinsNext(char) && joinsPrevious(chars[at + 1])
    if (ligature) at += 1
    joined += ligature ? ligature[isAfter ? 1 : 0] : formOf(char, isAfter, isBefore)
  }
  return joined
}

const formOf = (char: string, isAfter: boolean, isBefore: boolean): string =>
  forms.get(char)?.[(isAfter ? 1 : 0) + (isBefore ? 2 : 0)] ?? char
