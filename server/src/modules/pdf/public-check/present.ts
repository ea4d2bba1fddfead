/**
 * The answer to "is this file what was signed, and by whom?", from what the child found in it. Three questions that are
 * answered apart: is it intact, did this service seal it, is the signer known.
 */
import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import type { FoundSeal } from '../keys/queries.ts'
import { oneLine } from '../keys/seal-keys.ts'
import type { ReportedSignatures, SignatureReport } from '../verify/read-signatures.ts'
import type { Trust } from './trusted-authorities.ts'

type Verified = VerifyReply['signatures'][number]

interface Needs {
  /** The seal that was made here with this signature. */
  findSeal(signatureSha256: string): Promise<FoundSeal | undefined>
  /** True when a certificate is the instance's own. */
  isInstances(fingerprint: string): Promise<boolean>
  trust: Trust
  now: Date
}

export const presentVerification = async (found: ReportedSignatures, needs: Needs): Promise<VerifyReply> => {
  const signatures = found.signatures.filter(({ isTimestamp }) => !isTimestamp)
  const seals = await Promise.all(signatures.map((signature) => sealOf(signature, needs)))
  const presented = await Promise.all(signatures.map((one, index) => presentSignature(one, seals[index], needs)))
  const index = speaker(signatures, seals)
  const seal = presented[index]
  const end = signatures[index]?.signedBytes ?? Number.POSITIVE_INFINITY
  const isLater = (at: number): boolean => (signatures[at]?.signedBytes ?? 0) > end
  const timestamps = found.signatures.filter(({ isTimestamp, signedBytes }) => isTimestamp && signedBytes > end)
  const stamped = await Promise.all(timestamps.map((one) => presentSignature(one, undefined, needs)))
  const valid = seal !== undefined && presented.every((one, at) => (isLater(at) ? one.intact : one.valid))
  const documentId = valid ? seals[index]?.documentId : undefined
  return {
    sealed: seal !== undefined,
    valid,
    intact: seal !== undefined && presented.every((one) => one.intact),
    trusted: seal?.trusted ?? false,
    sealedHere: seal?.sealedHere ?? false,
    coversWholeFile: seal?.coversWholeFile ?? false,
    signedAt: seal?.signedAt ?? null,
    signer: seal?.signer ?? null,
    ...(documentId !== undefined && { documentId }),
    laterSignatures: [...presented.filter((_, at) => isLater(at)), ...stamped].map(presentLater),
    signatures: presented,
  }
}

const sealOf = async (
  { isIntact, signatureSha256 }: SignatureReport,
  { findSeal }: Needs,
): Promise<FoundSeal | undefined> => (isIntact && signatureSha256 !== null ? findSeal(signatureSha256) : undefined)

/** The seal that was made here, else the signature that covers most of the file. */
const speaker = (signatures: readonly SignatureReport[], seals: readonly (FoundSeal | undefined)[]): number => {
  const sealed = seals.findIndex((seal) => seal !== undefined)
  if (sealed >= 0) return sealed
  return signatures.reduce(
    (best, { signedBytes }, at) => (signedBytes >= (signatures[best]?.signedBytes ?? 0) ? at : best),
    0,
  )
}

const presentLater = ({ signer, signedAt, intact, trusted, certificateSha256 }: Verified) => ({
  signer,
  signedAt,
  intact,
  trusted,
  certificateSha256,
})

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

const timeSourceOf = (
  { timestampedAt, timestampCertificates, claimedAt }: SignatureReport,
  { trust }: Needs,
): Verified['timeSource'] => {
  if (timestampedAt === null) return claimedAt === null ? null : 'claimed'
  const certificates = timestampCertificates.map(fromBase64)
  return trust.authority({ at: new Date(timestampedAt), certificates }) ? 'authority' : 'untrusted_authority'
}

const presentSignature = async (
  report: SignatureReport,
  seal: FoundSeal | undefined,
  needs: Needs,
): Promise<Verified> => {
  const { certificate, timestampedAt, claimedAt } = report
  const signedAt = timestampedAt ?? claimedAt
  const reason = reasonOf(report, seal, signedAt ?? needs.now.toISOString())
  const trustedBy = report.isIntact ? await trustedByOf(report, seal, needs) : null
  return {
    valid: reason === null,
    intact: reason === null || reason === 'certificate',
    trusted: trustedBy !== null,
    trustedBy,
    reason,
    coversWholeFile: report.coversWholeFile,
    bytesAppended: report.bytesAfter,
    changes: report.changes,
    signedAt,
    timeSource: timeSourceOf(report, needs),
    signer: certificate && oneLine(certificate.subject),
    issuer: certificate && oneLine(certificate.issuer),
    certificateSha256: certificate?.fingerprint ?? null,
    certificateValidTo: certificate?.validTo ?? null,
    hasWholeChain: certificate?.hasWholeChain ?? false,
    isSelfSigned: certificate !== null && certificate.subject === certificate.issuer,
    sealedHere: seal !== undefined,
  }
}

/** `at`: when it was signed, as far as that is known. Times are ISO 8601, so their order is that of text. */
const reasonOf = (
  { isReadable, isIntact, changes, certificate }: SignatureReport,
  seal: FoundSeal | undefined,
  at: string,
): Verified['reason'] => {
  if (!isReadable) return 'unreadable'
  if (!isIntact || !certificate) return 'mismatch'
  // Signers elsewhere may add proof for later checks; our own seal has it from the start or not at all.
  if (changes.some(({ kind }) => kind !== 'security_store' || seal)) return 'changed'
  return certificate.validFrom <= at && at <= certificate.validTo ? null : 'certificate'
}

/** An organization chooses the names in its certificate, so its seal is known by an authority or not at all. */
const trustedByOf = async (
  { certificate, timestampedAt, claimedAt, isTimestamp }: SignatureReport,
  seal: FoundSeal | undefined,
  { isInstances, trust, now }: Needs,
): Promise<Verified['trustedBy']> => {
  if (!certificate) return null
  const isOurs =
    seal && (seal.sealedBy === 'instance' || (!seal.sealedBy && (await isInstances(certificate.fingerprint))))
  if (isOurs) return 'this_service'
  const signedAt = timestampedAt ?? claimedAt
  const at = signedAt === null ? now : new Date(signedAt)
  const isKnown = isTimestamp ? trust.authority : trust.signer
  return isKnown({ at, certificates: certificate.path.map(fromBase64) }) ? 'authority' : null
}
