/** `POST /api/public/verify`: what the signatures of a PDF are worth. Times are ISO 8601. */
import { z } from 'zod'

/** What differs between the signed revision and the file as it is now. */
export const DocumentChange = z.union([
  z.object({ kind: z.enum(['pages_added', 'pages_removed']), count: z.int() }),
  z.object({ kind: z.enum(['page_changed', 'annotations_changed']), page: z.int() }),
  /** `security_store`: certificates and revocation lists, which may be added to a signed file. */
  /** `bytes_appended`: bytes follow the signed part, but change nothing that a reader shows. */
  z.object({ kind: z.enum(['form', 'metadata', 'security_store', 'bytes_appended', 'other', 'unreadable']) }),
])

export const VerifiedSignature = z.object({
  /** Intact, by a certificate that was valid at the time, with nothing changed since but what may be added. */
  valid: z.boolean(),
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
  /** Whether the certificates up to a root are in the signature. */
  hasWholeChain: z.boolean(),
  /** Whether the certificate is its own issuer: no authority vouches for it. */
  isSelfSigned: z.boolean(),
  /** Whether this instance sealed it. */
  sealedHere: z.boolean(),
})

export const VerifyReply = z.object({
  /** Whether there is a signature at all. */
  sealed: z.boolean(),
  /** Every signature is valid. */
  valid: z.boolean(),
  coversWholeFile: z.boolean(),
  signedAt: z.string().nullable(),
  signer: z.string().nullable(),
  /** Only for a valid seal of this instance. */
  documentId: z.uuid().optional(),
  signatures: z.array(VerifiedSignature),
})
export type VerifyReply = z.infer<typeof VerifyReply>
