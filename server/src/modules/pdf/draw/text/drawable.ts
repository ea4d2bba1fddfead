/**
 * Which text can be drawn right. Letters are drawn one by one, so scripts that need more than Arabic joining and a
 * direction (Devanagari, Thai, …), combining marks and emoji are refused rather than drawn wrong.
 */
import { normalized } from '@chancery/contract/normalized.ts'
import { canJoin } from './arabic.ts'
import { covers, fontFiles } from './fonts.ts'

const hasGlyph = (char: string): boolean => {
  const codePoint = char.codePointAt(0) ?? 0
  return fontFiles.some((path) => covers(path, codePoint))
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const drawnScripts =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}]$/u
const neverDrawn = /[\p{M}\p{C}\p{Emoji_Presentation}]/u
/** Marks that steer direction or joining and leave nothing on the page, and white space. */
export const isSilent = (char: string): boolean => /[\u200c\u200e\u200f\u061c\n\r\t]/.test(char)

/** Plain letters, digits and punctuation are most of what is asked about. */
const isAscii = (char: string): boolean => char >= ' ' && char <= '~'

const isDrawable = (char: string): boolean =>
  isAscii(char) ||
  isSilent(char) ||
  (!neverDrawn.test(char) && drawnScripts.test(char) && canJoin(char) && hasGlyph(char))

/** The characters that cannot be drawn, as a person would name them, each once. */
export const undrawable = (text: string): string[] => {
  const found = new Set<string>()
  for (const { segment } of graphemes.segment(normalized(text))) if (![...segment].every(isDrawable)) found.add(segment)
  return [...found]
}

/** For text that was not checked before, such as a file's name: what cannot be drawn is shown by its number. */
export const drawableText = (text: string): string => (/^[ -~]*$/.test(text) ? text : showNumbers(text))

const showNumbers = (text: string): string =>
  [...normalized(text)]
    .map((char) =>
      isDrawable(char) ? char : `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .join('')
