/** The fonts that text is drawn with, in the order in which a character is looked up in them. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { readCoverage, tableRange } from './coverage.ts'

const { resolve } = createRequire(import.meta.url)

/** Chinese and Japanese, and Korean. */
const eastAsian = [
  '@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf',
  '@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf',
]

/** Paths, by style. */
export const fontFiles = {
  text: ['dejavu-fonts-ttf/ttf/DejaVuSans.ttf', ...eastAsian].map((file) => resolve(file)),
  bold: ['dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf', ...eastAsian].map((file) => resolve(file)),
}

export type FontStyle = keyof typeof fontFiles

export const readFont = (path: string): Buffer => readFileSync(path)

type Covers = (codePoint: number) => boolean
const known = new Map<string, Covers>()

/** Whether a font has a glyph for a code point. */
export const covers = (path: string, codePoint: number): boolean => {
  const found = known.get(path) ?? readCharacterMap(path)
  known.set(path, found)
  return found(codePoint)
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
