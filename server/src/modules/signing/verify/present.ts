/** The answer to "is this file what was signed?", from what the child found in it. */
import type { VerifyReply } from '@chancery/contract/signing-verification.ts'
import { oneLine } from '../seal/seal-keys.ts'
import type { CertificateReport, ReportedSignatures, SignatureReport } from './read-signatures.ts'
import type { IsTrusted } from './trusted-authorities.ts'

type Verified = VerifyReply['signatures'][number]
/** The document that a signature was made for here. */
type FindDocument = (signatureSha256: string) => Promise<string | undefined>

export const presentVerification = async (
  { signatures }: ReportedSignatures,
  { findDocument, isTrusted }: { findDocument: FindDocument; isTrusted: IsTrusted },
): Promise<VerifyReply> => {
  const documents = await Promise.all(signatures.map((signature) => documentOf(signature, findDocument)))
  const presented = signatures.map((signature, index) =>
    presentSignature(signature, { sealedHere: documents[index] !== undefined, isTrusted }),
  )
  // The one that covers most of the file speaks for it.
  const index = presented.reduce(
    (best, one, at) => (one.bytesAppended <= (presented[best]?.bytesAppended ?? 0) ? at : best),
    0,
  )
  const seal = presented[index]
  const valid = seal !== undefined && presented.every((one) => one.valid)
  const documentId = valid ? documents[index] : undefined
  return {
    sealed: seal !== undefined,
    valid,
    coversWholeFile: seal?.coversWholeFile ?? false,
    signedAt: seal?.signedAt ?? null,
    signer: seal?.signer ?? null,
    ...(documentId !== undefined && { documentId }),
    signatures: presented,
  }
}

const documentOf = async (
  { isIntact, signatureSha256 }: SignatureReport,
  findDocument: FindDocument,
): Promise<string | undefined> => (isIntact && signatureSha256 !== null ? findDocument(signatureSha256) : undefined)

const timeSourceOf = (
  { timestampedAt, timestampCertificates, claimedAt }: SignatureReport,
  isTrusted: IsTrusted,
): Verified['timeSource'] => {
  if (timestampedAt === null) return claimedAt === null ? null : 'claimed'
  const certificates = timestampCertificates.map((certificate) => Buffer.from(certificate, 'base64'))
  return isTrusted({ at: new Date(timestampedAt), certificates }) ? 'authority' : 'untrusted_authority'
}

const presentSignature = (
  report: SignatureReport,
  { sealedHere, isTrusted }: { sealedHere: boolean; isTrusted: IsTrusted },
): Verified => {
  const { certificate, timestampedAt, claimedAt } = report
  const signedAt = timestampedAt ?? claimedAt
  return {
    valid: report.isIntact && wasValid(certificate, signedAt) && report.changes.every(isAllowed),
    coversWholeFile: report.coversWholeFile,
    bytesAppended: report.bytesAfter,
    changes: report.changes,
    signedAt,
    timeSource: timeSourceOf(report, isTrusted),
    signer: certificate && oneLine(certificate.subject),
    issuer: certificate && oneLine(certificate.issuer),
    certificateSha256: certificate?.fingerprint ?? null,
    certificateValidTo: certificate?.validTo ?? null,
    hasWholeChain: certificate?.hasWholeChain ?? false,
    isSelfSigned: certificate !== null && certificate.subject === certificate.issuer,
    sealedHere,
  }
}

/** Certificates and revocation lists may be added to a signed file, and what changes nothing is only told. */
const isAllowed = ({ kind }: SignatureReport['changes'][number]): boolean =>
  kind === 'security_store' || kind === 'bytes_appended'

/** Whether the certificate was valid when the file says it was signed. Times are ISO 8601, so their order is that of text. */
const wasValid = (certificate: CertificateReport | null, signedAt: string | null): boolean =>
  certificate !== null && signedAt !== null && certificate.validFrom <= signedAt && signedAt <= certificate.validTo
