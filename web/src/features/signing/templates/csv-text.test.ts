import { describe, expect, it } from 'vitest'
import { textOfCsv } from './csv-text.ts'

const oneByte = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const twoBytes = (text: string, isBig: boolean) =>
  Uint8Array.from(
    [...text].flatMap((letter) => {
      const [high, low] = [letter.charCodeAt(0) >> 8, letter.charCodeAt(0) & 255]
      return isBig ? [high, low] : [low, high]
    }),
  )

describe('a CSV file', () => {
  it('is read in each encoding that spreadsheets write', () => {
    expect(textOfCsv(new TextEncoder().encode('José;Łucja'))).toBe('José;Łucja')
    expect(textOfCsv(new TextEncoder().encode('\ufeffJosé'))).toBe('José')
    expect(textOfCsv(twoBytes('\ufeffŁucja', false))).toBe('Łucja')
    expect(textOfCsv(twoBytes('\ufeffŁucja', true))).toBe('Łucja')
    expect(textOfCsv(oneByte('José'))).toBe('José')
    expect(textOfCsv(oneByte(''))).toBe('')
  })

  it('is no workbook, and is refused with what to do', () => {
    for (const start of ['PK\x03\x04 sheet', '\xd0\xcf\x11\xe0 sheet'])
      expect(() => textOfCsv(oneByte(start))).toThrow('Save it as CSV')
  })
})
