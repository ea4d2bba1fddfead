/** Finds and checks the signatures of a stranger's PDF, in the child. */
import { createHash } from 'node:crypto'
import { type PDF, type PdfArray, type PdfDict, PdfNumber, PdfString } from '@libpdf/core'
import { readDer } from '#kernel/asn1/read-der.ts'
import { loadPdf } from '../pdf/load-pdf.ts'
import { resolverOf } from '../pdf/page-attributes.ts'
import { isStoreUpdate } from '../pdf/security-store.ts'
import { signatureDicts } from '../pdf/signature-fields.ts'
import { type CmsReport, verifyCms } from '../seal/verify-cms.ts'
import { type Change, changesSince } from './changes.ts'

export interface SignatureReport {
  /** The signed bytes are unchanged and the signature is by the certificate's key. */
  isIntact: boolean
  /** Every byte of the file but the signature itself is signed; only a store of certificates as we write it may follow. */
  coversWholeFile: boolean
  bytesAfter: number
  changes: Change[]
  /** What the file says, which only its signature makes believable. */
  claimedAt: string | null
  /** SHA-256 of the signature itself, without the room after it. */
  signatureSha256: string | null
  format: string
  certificate: CertificateReport | null
  timestampedAt: string | null
  /** Base64 of the certificates of the authority that made the time-stamp: its own first, each signed by the next. */
  timestampCertificates: string[]
}

export interface CertificateReport {
  subject: string
  issuer: string
  /** SHA-256, lower case. */
  fingerprint: string
  validFrom: string
  validTo: string
  /** Every certificate up to a root is in the signature. Nothing is said about whether to trust the root. */
  hasWholeChain: boolean
}

export interface ReportedSignatures {
  signatures: SignatureReport[]
}

export interface CheckedFile extends ReportedSignatures {
  /** The hash of the whole file. */
  sha256: string
}

const maxSignatures = 50
const documentTimestamp = 'ETSI.RFC3161'

export const readSignatures = async (file: Buffer): Promise<ReportedSignatures> => {
  const pdf = await loadPdf(file)
  const signatures: SignatureReport[] = []
  for (const dict of signatureDicts(pdf).slice(0, maxSignatures)) {
    const format = dict.getName('SubFilter', resolverOf(pdf))?.value ?? ''
    if (format !== documentTimestamp) signatures.push(await readSignature({ file, pdf, dict, format }))
  }
  return { signatures }
}

interface Found {
  file: Buffer
  pdf: PDF
  dict: PdfDict
  format: string
}

const readSignature = async ({ file, pdf, dict, format }: Found): Promise<SignatureReport> => {
  const contents = dict.get('Contents', resolverOf(pdf))
  const range = signedRange(file, pdf, dict)
  const report =
    range && contents instanceof PdfString ? checkCms(Buffer.from(contents.bytes), { file, range, format }) : undefined
  const bytesAfter = range && !(await isFollowedByStore(file, range, pdf)) ? file.length - range.end : 0
  const changes = range && bytesAfter > 0 ? await changesAfter(file.subarray(0, range.end), pdf) : []
  return {
    isIntact: report?.isIntact === true,
    coversWholeFile: range !== undefined && bytesAfter === 0,
    bytesAfter,
    changes,
    claimedAt: dateOf(textOf(pdf, dict, 'M')),
    signatureSha256: report?.signatureSha256 ?? null,
    format,
    certificate: report ? certificateReport(report) : null,
    timestampedAt: report?.timestamp?.at.toISOString() ?? null,
    timestampCertificates: report?.timestamp?.certificates.map(({ raw }) => raw.toString('base64')) ?? [],
  }
}

/** Proof of the certificates' validity is appended to a seal by the one who made it; it says nothing about the document. */
const isFollowedByStore = async (file: Buffer, { end }: SignedRange, pdf: PDF): Promise<boolean> =>
  end < file.length && isStoreUpdate(file, end, pdf)

/** Bytes that change nothing are told too: the file is not what was signed. */
const changesAfter = async (signed: Buffer, pdf: PDF): Promise<Change[]> => {
  const changes = await changesSince(signed, pdf)
  return changes.length === 0 ? [{ kind: 'bytes_appended' }] : changes
}

/** From the start of the file to `end`, without the signature between `gapStart` and `gapEnd`. */
interface SignedRange {
  gapStart: number
  gapEnd: number
  end: number
}

/**
 * Undefined unless the range leaves out exactly the signature's own hexadecimal string. A larger gap, or one elsewhere,
 * would let unsigned content into a file whose signature still fits.
 */
const signedRange = (file: Buffer, pdf: PDF, dict: PdfDict): SignedRange | undefined => {
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

interface SignedReport extends CmsReport {
  signatureSha256: string
}

interface Signed {
  file: Buffer
  range: SignedRange
  format: string
}

const checkCms = (cms: Buffer, { file, range, format }: Signed): SignedReport | undefined => {
  const digestOf = (hash: string): Buffer =>
    createHash(hash).update(file.subarray(0, range.gapStart)).update(file.subarray(range.gapEnd, range.end)).digest()
  try {
    const report = verifyCms(cms, digestOf, { mustNameCertificate: format.startsWith('ETSI') })
    const { raw } = readDer(cms)
    // The room after a signature is the only part of a file that nothing covers, so it must be empty.
    const isPadded = cms.subarray(raw.length).every((byte) => byte === 0)
    const signatureSha256 = createHash('sha256').update(raw).digest('hex')
    return { ...report, isIntact: report.isIntact && isPadded, signatureSha256 }
  } catch {
    return undefined
  }
}

const certificateReport = ({ signer, hasWholeChain }: CmsReport): CertificateReport => ({
  subject: signer.subject,
  issuer: signer.issuer,
  fingerprint: createHash('sha256').update(signer.raw).digest('hex'),
  validFrom: signer.validFromDate.toISOString(),
  validTo: signer.validToDate.toISOString(),
  hasWholeChain,
})

const textOf = (pdf: PDF, dict: PdfDict, name: string): string | undefined =>
  dict.getString(name, resolverOf(pdf))?.asString().slice(0, 200)

/** `D:20261116014500+01'00'` or with `Z`; null where it is no date. */
const dateOf = (text: string | undefined): string | null => {
  const found = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d)'?)?/.exec(text ?? '')
  if (!found) return null
  const [, year, month, day, hour, minute, second, hours, minutes] = found
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
