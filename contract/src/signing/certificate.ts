/** The certificate that seals documents: `GET /api/signing/certificate`, `PUT /api/org/signing-certificate`. */
import { z } from 'zod'

export const SealCertificate = z.object({
  owner: z.enum(['instance', 'organization']),
  subject: z.string(),
  issuer: z.string(),
  sha256: z.string(),
  validTo: z.string(),
  /** Made by this instance: no certificate authority vouches for it. */
  isSelfMade: z.boolean(),
  /** Days until it expires, from 60 days before; negative once it has. */
  expiresInDays: z.int().nullable(),
})

export const SealCertificateBody = z.strictObject({
  /** PEM: the private key without a password, the certificate, then its chain. */
  pem: z.string().min(1).max(64_000),
})
