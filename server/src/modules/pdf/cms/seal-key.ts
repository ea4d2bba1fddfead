/** The key that seals documents, and the certificate that tells whose it is. */
import type { X509Certificate } from 'node:crypto'

export interface SealKey {
  certificate: X509Certificate
  /** The certificates between this one and its root, as far as they were given. */
  chain: readonly X509Certificate[]
  kind: 'rsa' | 'ec'
  /** True for one that we made ourselves, so that no authority has issued it. */
  isSelfMade: boolean
  /** SHA-256; an EC signature as a DER sequence of r and s. */
  sign(data: Buffer): Promise<Buffer>
}
