/** Parts of a certificate that Node does not tell, and the check of what its holder has signed. Pure. */
import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { childAt, childrenOf, DerError, type DerNode, oidOf, readDer } from '../asn1/read-der.ts'
import { oids } from './oids.ts'

/** Why it is not known whether a certificate was revoked. */
export class RevocationProblem extends Error {}

export const readCertificate = (bytes: Buffer): X509Certificate => {
  try {
    return new X509Certificate(bytes)
  } catch (problem) {
    throw new RevocationProblem('a certificate cannot be read', { cause: problem })
  }
}

export interface CertificateParts {
  /** DER. */
  serial: Buffer
  /** DER. */
  issuer: Buffer
  /** DER. */
  subject: Buffer
  /** The key itself, without its algorithm. */
  publicKey: Buffer
  /** Addresses that tell whether it was revoked. */
  ocspUrls: string[]
  crlUrls: string[]
  /** Addresses of its issuer's certificate. */
  issuerUrls: string[]
}

export const partsOfCertificate = (certificate: Buffer): CertificateParts => {
  const fields = childrenOf(childAt(readDer(certificate), 0))
  const [serial, , issuer, , subject, key] = fields.slice(fields[0]?.tag === 0xa0 ? 1 : 0)
  if (!serial || !issuer || !subject || !key) throw new DerError('this is no certificate')
  const extensions = fields.find(({ tag }) => tag === 0xa3)
  const access = extensionIn(extensions, oids.authorityInfoAccess)
  const accessUrls = (method: string): string[] =>
    access.filter((one) => oidOf(childAt(one, 0)) === method).flatMap((one) => urlsIn(childrenOf(one)))
  return {
    serial: serial.raw,
    issuer: issuer.raw,
    subject: subject.raw,
    publicKey: childAt(key, 1).content.subarray(1),
    ocspUrls: accessUrls(oids.ocsp),
    issuerUrls: accessUrls(oids.caIssuers),
    crlUrls: extensionIn(extensions, oids.crlDistributionPoints).flatMap(urlsOfPoint),
  }
}

/** The values in an extension that is a list. */
const extensionIn = (extensions: DerNode | undefined, type: string): DerNode[] => {
  const list = extensions ? childrenOf(childAt(extensions, 0)) : []
  const found = list.find((extension) => oidOf(childAt(extension, 0)) === type)
  const value = found && childrenOf(found).at(-1)
  return value ? childrenOf(readDer(value.content)) : []
}

const urlTag = 0x86

const urlsIn = (names: readonly DerNode[]): string[] =>
  names.filter(({ tag }) => tag === urlTag).map(({ content }) => content.toString('latin1'))

/** A distribution point has its addresses two levels down. */
const urlsOfPoint = (point: DerNode): string[] => {
  const name = childrenOf(point).find(({ tag }) => tag === 0xa0)
  const full = name && childrenOf(name).find(({ tag }) => tag === 0xa0)
  return full ? urlsIn(childrenOf(full)) : []
}

const hashes: Record<string, string> = {
  [oids.sha256WithRsa]: 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  [oids.ecdsaWithSha256]: 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
}

/** For revocation lists and OCSP answers alike: both consist of content, algorithm and signature. */
export const isSignedBy = (signed: DerNode, key: KeyObject): boolean => {
  const [content, algorithm, signature] = childrenOf(signed)
  const hash = algorithm && hashes[oidOf(childAt(algorithm, 0))]
  if (!content || !signature || hash === undefined) return false
  try {
    return verify(hash, content.raw, key, signature.content.subarray(1))
  } catch {
    return false
  }
}
