/** The answer to "is this file what was signed?", from what the child found in it. */
import type { VerifyReply } from '@chancery/contract/signing-verification.ts'
import { z } from 'zod'
import { oneLine, type SealKeys } from '../seal/seal-keys.ts'
import type { ReportedSignatures, SignatureReport } from './read-signatures.ts'

type Verified = VerifyReply['signatures'][number]

export const presentVerification = async (
  { signatures }: ReportedSignatures,
  isOurs: SealKeys['isOurs'],
): Promise<VerifyReply> => {
  const presented = await Promise.all(signatures.map((signature) => presentSignature(signature, isOurs)))
  // The one that covers most of the file speaks for it.
  const index = presented.reduce(
    (best, one, at) => (one.bytesAppended <= (presented[best]?.bytesAppended ?? 0) ? at : best),
    0,
  )
  const [seal, report] = [presented[index], signatures[index]]
  const valid = seal !== undefined && presented.every((one) => one.valid)
  const documentId = valid && seal.sealedHere ? z.uuid().safeParse(report?.documentId).data : undefined
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

const presentSignature = async (report: SignatureReport, isOurs: SealKeys['isOurs']): Promise<Verified> => {
  const { certificate, timestampedAt, claimedAt } = report
  const signedAt = timestampedAt ?? claimedAt
  return {
    valid: report.isIntact && report.changes.every(({ kind }) => kind === 'security_store'),
    coversWholeFile: report.coversWholeFile,
    bytesAppended: report.bytesAfter,
    changes: report.changes,
    signedAt,
    timeSource: signedAt === null ? null : timestampedAt === null ? 'claimed' : 'authority',
    signer: certificate && oneLine(certificate.subject),
    issuer: certificate && oneLine(certificate.issuer),
    certificateSha256: certificate?.fingerprint ?? null,
    certificateValidTo: certificate?.validTo ?? null,
    hasWholeChain: certificate?.hasWholeChain ?? false,
    isSelfSigned: certificate !== null && certificate.subject === certificate.issuer,
    sealedHere: certificate !== null && report.isIntact && (await isOurs(certificate.fingerprint)),
  }
}
