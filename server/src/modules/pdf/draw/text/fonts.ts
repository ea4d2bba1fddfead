/** The fonts that text is drawn with, in the order in which a character is looked up in them. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readGlyphs, tableRange } from './coverage.ts'
import { trimFont } from './trim-font.ts'

const { resolve } = createRequire(import.meta.url)

/** Paths. Chinese and Japanese are in the second, Korean in the third. */
export const fontFiles = [
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  '@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf',
  '@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf',
].map((file) => resolve(file))

/** For documents that are made of text: narrower letters, bold and slanted ones, and those of code. */
export const textFonts = ['Condensed', 'Condensed-Bold', 'Condensed-Oblique', 'Condensed-BoldOblique', 'Mono'].map(
  (kind) => [resolve(`dejavu-fonts-ttf/ttf/DejaVuSans${kind}.ttf`), ...fontFiles],
)

const fonts = new Map<string, Buffer>()

/** Only what is needed to draw with it. */
export const readFont = (path: string): Buffer => {
  const font = fonts.get(path) ?? trimFont(readFileSync(path))
  fonts.set(path, font)
  return font
}

interface Letters {
  glyphOf(codePoint: number): number
  /** At size 1. */
  widthOf(glyph: number): number
}
const known = new Map<string, Letters>()

const lettersOf = (path: string): Letters => {
  const found = known.get(path) ?? readLetters(path)
  known.set(path, found)
  return found
}

export const covers = (path: string, codePoint: number): boolean => lettersOf(path).glyphOf(codePoint) !== 0

/** The second font has these in the middle of their square, as they are set in Taiwan and Hong Kong alone. */
const lowPunctuation = /[、。，．]/

export const fontOf = (char: string, files: readonly string[] = fontFiles): string | undefined => {
  const fonts = lowPunctuation.test(char) ? files.toReversed() : files
  return fonts.find((path) => covers(path, char.codePointAt(0) ?? 0))
}

/** The width of a character at size 1, in the font that it is drawn with. */
export const advanceOf = (char: string): number => {
  const [first = ''] = fontFiles
  const letters = lettersOf(fontOf(char) ?? first)
  return letters.widthOf(letters.glyphOf(char.codePointAt(0) ?? 0))
}

/** Only the font's character map and its widths are read. */
const readLetters = (path: string): Letters => {
  const file = openSync(path, 'r')
  try {
    const read = (offset: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, offset)
      return bytes
    }
    const directory = read(0, 4096)
    const table = (name: string): Buffer => {
      const { offset, length } = tableRange(directory, name)
      return read(offset, length)
    }
    const units = table('head').readUInt16BE(18)
    const count = table('hhea').readUInt16BE(34)
    const widths = table('hmtx')
    return {
      glyphOf: readGlyphs(table('cmap')),
      widthOf: (glyph) => widths.readUInt16BE(4 * Math.min(glyph, count - 1)) / units,
    }
  } finally {
    closeSync(file)
  }
}
