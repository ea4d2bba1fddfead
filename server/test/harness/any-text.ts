/**
 * Any text: of all code points that can stand alone, half surrogate pairs excepted. Fast-check's own unit of that kind
 * ('binary') keeps a table of a million characters, which costs a second and then 140 MB of each worker's memory.
 */
import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogates = 0x800
const codePoint = fc.nat({ max: 0x10ffff - surrogates }).map(
  (number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates),
  // The way back, by which fast-check can put in its own dangerous texts, such as __proto__.
  (character) => {
    const [first = '', ...others] = typeof character === 'string' ? character : ''
    if (first === '' || others.length > 0 || !first.isWellFormed()) throw new Error('Not one character.')
    const number = first.codePointAt(0) ?? 0
    return number < firstSurrogate ? number : number - surrogates
  },
)

export const anyText = (length: Pick<fc.StringSharedConstraints, 'minLength' | 'maxLength'> = {}) =>
  fc.string({ ...length, unit: codePoint })
