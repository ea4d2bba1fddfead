/** `POST /api/public/verify`: what the signatures of a PDF are worth. Times are ISO 8601. */
import { z } from 'zod'

/** A difference between the signed revision and the file as it is now. */
export const DocumentChange = z.union([
  z.object({ kind: z.enum(['pages_added', 'pages_removed']), count: z.int() }),
  z.object({ kind: z.enum(['page_changed', 'annotations_changed']), page: z.int() }),
  /** `security_store`: certificates and revocation lists, which may be added to a signed file. */
  /** `bytes_appended`: bytes follow the signed part that can't be understood; some readers may show something else. */
  /** `signature_added`: the signature allows no further one, as seals of this service do. */
  z.object({
    kind: z.enum(['form', 'metadata', 'security_store', 'signature_added', 'bytes_appended', 'other', 'unreadable']),
  }),
])

export const VerifiedSignature = z.object({
  /** Intact, by a certificate that was valid at the time (now, where the file says no time). */
  valid: z.boolean(),
  /** The signed bytes are unchanged, and nothing follows them but certificates for later checks and intact signatures. */
  intact: z.boolean(),
  /** True when the signer is known here, as `trustedBy` says. Anybody can make a certificate with any name. */
  trusted: z.boolean(),
  /** `this_service`: its own key. `authority`: a certificate authority that this server knows. */
  trustedBy: z.enum(['this_service', 'authority']).nullable(),
  /** Why it isn't valid. `unreadable`: damaged, or of a kind that can't be checked here. `certificate`: not valid at the time. */
  reason: z.enum(['unreadable', 'mismatch', 'changed', 'certificate']).nullable(),
  coversWholeFile: z.boolean(),
  /** Bytes that follow the signed part of the file. */
  bytesAppended: z.int(),
  changes: z.array(DocumentChange),
  signedAt: z.string().nullable(),
  /** `authority`: a trusted time-stamp. `untrusted_authority`: one by somebody unknown here. `claimed`: only the file says so. */
  timeSource: z.enum(['authority', 'untrusted_authority', 'claimed']).nullable(),
  signer: z.string().nullable(),
  issuer: z.string().nullable(),
  certificateSha256: z.string().nullable(),
  certificateValidTo: z.string().nullable(),
  /** True when the certificates up to a root are in the signature. */
  hasWholeChain: z.boolean(),
  /** True when the certificate is its own issuer: no authority vouches for it. */
  isSelfSigned: z.boolean(),
  /** True when this instance sealed it, with its own key or an organization's. */
  sealedHere: z.boolean(),
})

/** A signature that somebody added after the one that the reply speaks of. */
export const LaterSignature = VerifiedSignature.pick({
  signer: true,
  signedAt: true,
  intact: true,
  trusted: true,
  certificateSha256: true,
})

export const VerifyReply = z.object({
  /** False for a file without any signature. */
  sealed: z.boolean(),
  /** Every signature is valid; later ones are at least intact. */
  valid: z.boolean(),
  /** These three, and what follows, are about the seal of this instance, else about the signature over most of the file. */
  intact: z.boolean(),
  trusted: z.boolean(),
  sealedHere: z.boolean(),
  coversWholeFile: z.boolean(),
  signedAt: z.string().nullable(),
  signer: z.string().nullable(),
  /** Only for a valid seal of this instance. */
  documentId: z.uuid().optional(),
  laterSignatures: z.array(LaterSignature),
  signatures: z.array(VerifiedSignature),
})
export type VerifyReply = z.infer<typeof VerifyReply>
