/**
 * The signatures of a file: those that its form lists, and those that were in the form when they were made. So a revision
 * that can't be read or leaves a signature out doesn't make it disappear.
 */
import { PDF, type PdfDict, PdfNumber, PdfString } from '@libpdf/core'
import { loadPdf } from '../read/load-pdf.ts'
import { dictsIn, resolverOf } from '../read/page-attributes.ts'
import { signatureDicts } from '../read/signature-fields.ts'
import { type SignedRange, signedRange } from './signed-range.ts'

export interface FoundSignature {
  format: string
  contents: Buffer | undefined
  range: SignedRange | undefined
  /** As the file tells it: `D:20261116014500Z`. */
  time: string | undefined
  /** It certifies the document and allows no change of it (DocMDP); later proof and time-stamps are none. */
  allowsNothing: boolean
}

interface FoundSignatures {
  found: FoundSignature[]
  /** The file as it is now, where it can be read. */
  pdf: PDF | undefined
}

const maxSignatures = 50
/** Each is a file of its own to read. */
const maxHidden = 5

export const findSignatures = async (file: Buffer): Promise<FoundSignatures> => {
  const whole = await loadPdf(file).catch((problem: unknown) => ({ problem }))
  const pdf = whole instanceof PDF ? whole : await PDF.load(file).catch(() => undefined)
  const listed = whole instanceof PDF ? signaturesIn(file, whole) : []
  const ends = new Set(listed.map(({ range }) => range?.end))
  const hidden: FoundSignature[] = []
  for (const end of endsIn(file)
    .filter((one) => !ends.has(one))
    .slice(0, maxHidden)) {
    const part = file.subarray(0, end)
    const signed = await loadPdf(part).catch(() => undefined)
    if (signed) hidden.push(...signaturesIn(part, signed).filter(({ range }) => range?.end === end))
  }
  if (!(whole instanceof PDF) && hidden.length === 0) throw whole.problem
  return { found: [...hidden, ...listed], pdf }
}

/** The end of the signed part by a byte range in the file, if it is one. Others are sorted out later. */
const endsIn = (file: Buffer): number[] => {
  const ends = new Set<number>()
  for (let at = file.indexOf('/ByteRange'); at >= 0; at = file.indexOf('/ByteRange', at + 1)) {
    const text = file.toString('latin1', at, at + 100)
    const [, from, length] = /^\/ByteRange\s*\[\s*0\s+\d+\s+(\d+)\s+(\d+)\s*\]/.exec(text) ?? []
    const end = Number(from) + Number(length)
    if (end <= file.length) ends.add(end)
  }
  return [...ends]
}

const signaturesIn = (file: Buffer, pdf: PDF): FoundSignature[] => {
  const resolve = resolverOf(pdf)
  return signatureDicts(pdf)
    .slice(0, maxSignatures)
    .map((dict) => {
      const contents = dict.get('Contents', resolve)
      return {
        format: dict.getName('SubFilter', resolve)?.value ?? '',
        contents: contents instanceof PdfString ? Buffer.from(contents.bytes) : undefined,
        range: signedRange(file, pdf, dict),
        time: dict.getString('M', resolve)?.asString().slice(0, 200),
        allowsNothing: allowsNothing(pdf, dict),
      }
    })
}

const allowsNothing = (pdf: PDF, signature: PdfDict): boolean => {
  const resolve = resolverOf(pdf)
  return dictsIn(pdf, signature.getArray('Reference', resolve)).some((reference) => {
    const allowed = reference.getDict('TransformParams', resolve)?.get('P', resolve)
    const isCertified = reference.getName('TransformMethod', resolve)?.value === 'DocMDP'
    return isCertified && allowed instanceof PdfNumber && allowed.value === 1
  })
}
