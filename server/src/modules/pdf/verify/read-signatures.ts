/** Finds and checks the signatures of a stranger's PDF, in the child. */
import { createHash } from 'node:crypto'
import type { PDF } from '@libpdf/core'
import { toDefinite } from '../asn1/definite.ts'
import { type CmsReport, verifyCms, verifyDocumentTimestamp } from '../cms/verify-cms.ts'
import { readPdfDate } from '../read/pdf-date.ts'
import { type Change, changesSince } from './changes.ts'
import { type FoundSignature, findSignatures } from './find-signatures.ts'
import { followUpsOf } from './follow-ups.ts'
import { redefinedPages } from './redefined.ts'
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
  const intact = read.flatMap(({ range, cms }) => (range && cms?.isIntact ? [range] : []))
  const signatures: SignatureReport[] = []
  for (const one of read) signatures.push(await report(one, { file, pdf, intact }))
  return { signatures }
}

const readCmsOf = (file: Buffer, { contents, range, format }: FoundSignature): SignedReport | undefined =>
  range && contents && checkCms(contents, { file, range, format })

interface Around {
  file: Buffer
  /** The file as it is now, where it can be read. */
  pdf: PDF | undefined
  intact: readonly SignedRange[]
}

type ReadSignature = FoundSignature & { cms: SignedReport | undefined }

const report = async ({ time, format, range, cms }: ReadSignature, around: Around): Promise<SignatureReport> => {
  const isStamped = cms?.timestamp !== undefined
  const { bytesAfter, changes } = range
    ? await readRest({ ...range, isStamped }, around)
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

/**
 * Our own proof of the certificates' validity is part of the seal; without a time-stamp a seal has none. What other tools
 * may add is told, and everything that isn't wholly understood is a change: readers disagree about what a file with
 * unusual parts shows.
 */
const readRest = async (
  { end, isStamped }: SignedRange & { isStamped: boolean },
  { file, pdf, intact }: Around,
): Promise<Pick<SignatureReport, 'bytesAfter' | 'changes'>> => {
  if (end === file.length) return { bytesAfter: 0, changes: [] }
  const found = await followUpsOf(file, end, intact)
  if (!found) return { bytesAfter: file.length - end, changes: await changesAfter(file.subarray(0, end), file, pdf) }
  const followUps = found.map((one) => (one === 'own_store' && !isStamped ? 'store' : one))
  const [first, ...others] = followUps
  if (first === 'own_store' && others.length === 0) return { bytesAfter: 0, changes: [] }
  const isBare = followUps.slice(0, followUps.indexOf('signature') + 1 || undefined).includes('store')
  return { bytesAfter: file.length - end, changes: isBare ? [{ kind: 'security_store' }] : [] }
}

/** A reader may show what was appended although ours does not. */
const changesAfter = async (signed: Buffer, file: Buffer, pdf: PDF | undefined): Promise<Change[]> => {
  if (!pdf) return [{ kind: 'unreadable' }]
  const changes = await changesSince(signed, pdf)
  return changes.length === 0 ? redefinedPages(signed, file.subarray(signed.length)) : changes
}

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
