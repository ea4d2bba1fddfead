/** The fonts that text is drawn with, in the order in which a character is looked up in them. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readCoverage, tableRange } from './coverage.ts'
import { trimFont } from './trim-font.ts'

const { resolve } = createRequire(import.meta.url)

/** Paths. Chinese and Japanese are in the second, Korean in the third. */
export const fontFiles = [
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  '@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf',
  '@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf',
].map((file) => resolve(file))

const fonts = new Map<string, Buffer>()

/** Only what is needed to draw with it. */
export const readFont = (path: string): Buffer => {
  const font = fonts.get(path) ?? trimFont(readFileSync(path))
  fonts.set(path, font)
  return font
}

type Covers = (codePoint: number) => boolean
const known = new Map<string, Covers>()

export const covers = (path: string, codePoint: number): boolean => {
  const found = known.get(path) ?? readCharacterMap(path)
  known.set(path, found)
  return found(codePoint)
}

/** The second font has these in the middle of their square, as they are set in Taiwan and Hong Kong alone. */
const lowPunctuation = /[、。，．]/

export const fontOf = (char: string): string | undefined => {
  const fonts = lowPunctuation.test(char) ? fontFiles.toReversed() : fontFiles
  return fonts.find((path) => covers(path, char.codePointAt(0) ?? 0))
}

/** Only the font's character map is read. */
const readCharacterMap = (path: string): Covers => {
  const file = openSync(path, 'r')
  try {
    const read = (offset: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, offset)
      return bytes
    }
    const { offset, length } = tableRange(read(0, 4096), 'cmap')
    return readCoverage(read(offset, length))
  } finally {
    closeSync(file)
  }
}
