/** Which bytes of a file a signature is over. */
import { type PDF, type PdfArray, type PdfDict, PdfNumber, PdfString } from '@libpdf/core'
import { resolverOf } from '../read/page-attributes.ts'

/** From the start of the file to `end`, without the signature between `gapStart` and `gapEnd`. */
export interface SignedRange {
  gapStart: number
  gapEnd: number
  end: number
}

/**
 * Undefined unless the range leaves out exactly the signature's own hexadecimal string. A larger gap, or one elsewhere,
 * would let unsigned content into a file whose signature still fits.
 */
export const signedRange = (file: Buffer, pdf: PDF, dict: PdfDict): SignedRange | undefined => {
  const numbers = numbersIn(pdf, dict.getArray('ByteRange', resolverOf(pdf)))
  const [start, gapStart, gapEnd, rest] = numbers
  if (numbers.length !== 4 || start !== 0 || !gapStart || !gapEnd || !rest) return undefined
  const end = gapEnd + rest
  if (gapStart >= gapEnd || end > file.length) return undefined
  const contents = dict.get('Contents', resolverOf(pdf))
  if (!(contents instanceof PdfString)) return undefined
  const written = file.toString('latin1', gapStart, gapEnd)
  const isWhole = /^<[0-9a-f]*>$/i.test(written) && Buffer.from(written.slice(1, -1), 'hex').equals(contents.bytes)
  return isWhole ? { gapStart, gapEnd, end } : undefined
}

const numbersIn = (pdf: PDF, list: PdfArray | undefined): number[] =>
  (list?.toArray() ?? []).flatMap((_, index) => {
    const item = list?.at(index, resolverOf(pdf))
    return item instanceof PdfNumber && Number.isSafeInteger(item.value) && item.value >= 0 ? [item.value] : []
  })
