/** A list of half a megabyte holds 20,000 certificates, each of them a node to read. */
import { X509Certificate } from 'node:crypto'
import { RevocationProblem } from './certificate-parts.ts'
import { readCrl } from './crl.ts'
import type { RevocationStatus } from './ocsp.ts'

interface List {
  file: Uint8Array
  certificate: Uint8Array
  issuer: Uint8Array
  now: number
}

export const compute = ({ file, certificate, issuer, now }: List): RevocationStatus | { problem: string } => {
  const issued = { certificate: new X509Certificate(certificate), issuer: new X509Certificate(issuer) }
  try {
    return readCrl(Buffer.from(file), issued, new Date(now))
  } catch (problem) {
    if (problem instanceof RevocationProblem) return { problem: problem.message }
    throw problem
  }
}
