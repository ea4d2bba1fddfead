/** Finds and checks the signatures of a stranger's PDF, in the child. */
import { createHash } from 'node:crypto'
import { toDefinite } from '../asn1/definite.ts'
import { type CmsReport, verifyCms, verifyDocumentTimestamp } from '../cms/verify-cms.ts'
import { readPdfDate } from '../read/pdf-date.ts'
import { type Around, readRest } from './after-signature.ts'
import type { Change } from './changes.ts'
import { type FoundSignature, findSignatures } from './find-signatures.ts'
import type { SignedRange } from './signed-range.ts'

export interface SignatureReport {
  /** The signed bytes are unchanged and the signature is by the certificate's key. */
  isIntact: boolean
  /** True for a kind that can be checked here, where it is over a part of the file at all. */
  isReadable: boolean
  /** Every byte of the file but the signature itself is signed; only a store of certificates as we write it may follow. */
  coversWholeFile: boolean
  bytesAfter: number
  /** The end of the signed part. */
  signedBytes: number
  changes: Change[]
  /** Stated by the file, and believable only by its signature. */
  claimedAt: string | null
  /** SHA-256 of the signature itself, without the room after it. */
  signatureSha256: string | null
  /** By an authority that says when it saw the file, and nothing about it. */
  isTimestamp: boolean
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
  /** Base64: its own first, each signed by the next. */
  path: string[]
}

export interface ReportedSignatures {
  signatures: SignatureReport[]
}

export interface CheckedFile extends ReportedSignatures {
  /** The hash of the whole file. */
  sha256: string
}

/** Throws a `PdfRefusal` for a file that can't be read and in which no signature is found either. */
export const readSignatures = async (file: Buffer): Promise<ReportedSignatures> => {
  const { found, pdf } = await findSignatures(file)
  const read = found.map((one) => ({ ...one, cms: readCmsOf(file, one) }))
  const intact = read.flatMap(({ range, cms, format }) =>
    range && cms?.isIntact ? [{ range, isTimestamp: format === documentTimestamp }] : [],
  )
  const signatures: SignatureReport[] = []
  for (const one of read) signatures.push(await report(one, { file, pdf, intact }))
  return { signatures }
}

const readCmsOf = (file: Buffer, { contents, range, format }: FoundSignature): SignedReport | undefined =>
  range && contents && checkCms(contents, { file, range, format })

type ReadSignature = FoundSignature & { cms: SignedReport | undefined }

const report = async (
  { time, format, range, cms, allowsNothing }: ReadSignature,
  around: Around,
): Promise<SignatureReport> => {
  const isStamped = cms?.timestamp !== undefined
  const { bytesAfter, changes } = range
    ? await readRest({ ...range, isStamped, allowsNothing }, around)
    : { bytesAfter: 0, changes: [] }
  return {
    isIntact: cms?.isIntact === true,
    isReadable: range === undefined || cms !== undefined,
    coversWholeFile: range !== undefined && bytesAfter === 0,
    bytesAfter,
    signedBytes: range?.end ?? 0,
    changes,
    claimedAt: readPdfDate(time) ?? cms?.signingTime?.toISOString() ?? null,
    signatureSha256: cms?.signatureSha256 ?? null,
    isTimestamp: format === documentTimestamp,
    certificate: cms ? certificateReport(cms) : null,
    timestampedAt: cms?.timestamp?.at.toISOString() ?? null,
    timestampCertificates: cms?.timestamp?.certificates.map(toBase64) ?? [],
  }
}

const toBase64 = ({ raw }: { raw: Buffer }): string => raw.toString('base64')

const documentTimestamp = 'ETSI.RFC3161'

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
    const { der, length } = toDefinite(cms)
    const report =
      format === documentTimestamp
        ? verifyDocumentTimestamp(der, digestOf)
        : verifyCms(der, digestOf, { mustNameCertificate: format.startsWith('ETSI') })
    // The room after a signature is the only part of a file that nothing covers, so it must be empty.
    const isPadded = cms.subarray(length).every((byte) => byte === 0)
    const signatureSha256 = createHash('sha256').update(cms.subarray(0, length)).digest('hex')
    return { ...report, isIntact: report.isIntact && isPadded, signatureSha256 }
  } catch {
    return undefined
  }
}

const certificateReport = ({ signer, hasWholeChain, path }: CmsReport): CertificateReport => ({
  subject: signer.subject,
  issuer: signer.issuer,
  fingerprint: createHash('sha256').update(signer.raw).digest('hex'),
  validFrom: signer.validFromDate.toISOString(),
  validTo: signer.validToDate.toISOString(),
  hasWholeChain,
  path: path.map(toBase64),
})
