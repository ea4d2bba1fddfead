/** Whether a value fits its field. Pure, and cheap enough for the server: widths come from the fonts' own tables. */
import type { Size } from '../../interface.ts'
import { joinLetters } from './arabic.ts'
import { isSilent } from './drawable.ts'
import { advanceOf } from './fonts.ts'
import { wrapText } from './wrap.ts'

export const lineHeight = 1.2
/** Text that doesn't fit its field at this size, in points, is refused when it is entered, and else cut off. */
export const smallestSize = 3

export const widthLeft = ({ width }: Pick<Size, 'width'>): number => width - 2 * paddingOf(width)
export const paddingOf = (width: number): number => Math.min(2, width * 0.05)

/** Widths in the sealed file are rounded. */
const tolerance = 0.99

const widths = new Map<string, number>()

const widthOfChar = (char: string): number => {
  const width = widths.get(char) ?? (isSilent(char) ? 0 : advanceOf(char))
  widths.set(char, width)
  return width
}

const widthOf = (text: string): number => {
  let width = 0
  for (const char of joinLetters(text)) width += widthOfChar(char)
  return width
}

/** For text that can be drawn. */
export const fits = (text: string, box: Size): boolean => {
  const size = Math.min(smallestSize, box.height / lineHeight)
  const lines = wrapText(text, (widthLeft(box) / size) * tolerance, widthOf)
  return lines.length * size * lineHeight <= box.height + 1e-6
}
