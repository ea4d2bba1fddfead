/** Checks a detached CMS signature as a stranger would: digest, signature, certificate, time-stamp. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { setOf } from '../asn1/der.ts'
import { childAt, childrenOf, DerError, type DerNode, oidOf, readDer, timeOf } from '../asn1/read-der.ts'
import { issuerAndSerial } from './build-cms.ts'
import { oids } from './oids.ts'
import { readTimestamp } from './timestamp.ts'

export interface CmsReport {
  /** The bytes are those that were signed, and the signature is by the certificate's key. */
  isIntact: boolean
  signer: X509Certificate
  certificates: X509Certificate[]
  /** Every certificate up to a self-issued one is there and signed by the next. Whether to trust that one is the reader's choice. */
  hasWholeChain: boolean
  /** The signer's own first, each signed by the next. */
  path: X509Certificate[]
  /** The time that the signer states; older formats have it here instead of in the file. */
  signingTime: Date | undefined
  /**
   * The authority that states when it saw the signature; only if the token is over this signature and intact. Whether
   * to believe them is not said.
   */
  timestamp: StampedBy | undefined
}

export interface StampedBy {
  at: Date
  /** Their own first, each signed by the next. Who wants to trust one of them need not check a stranger's keys again. */
  certificates: X509Certificate[]
}

const hashNames: Record<string, string> = { [oids.sha256]: 'sha256', [oids.sha384]: 'sha384', [oids.sha512]: 'sha512' }

interface VerifyOptions {
  /** The signature must name its certificate, as PAdES asks. Older formats do not. */
  mustNameCertificate: boolean
}

/** `digestOf`: the digest of the signed bytes by the named hash. Throws `DerError` on what is no CMS. */
export const verifyCms = (
  cms: Buffer,
  digestOf: (hash: string) => Buffer,
  { mustNameCertificate }: VerifyOptions = { mustNameCertificate: true },
): CmsReport => {
  const parts = readCms(cms)
  const { attributes, hash, signature, signer } = parts
  const signedBytes = setOf(childrenOf(attributes).map(({ raw }) => raw))
  const isIntact =
    attributeValue(attributes, oids.messageDigest)?.content.equals(digestOf(hash)) === true &&
    (!mustNameCertificate || namesCertificate(attributes, signer)) &&
    verify(hash, signedBytes, signer.publicKey, signature)
  return {
    isIntact,
    signer,
    certificates: parts.certificates,
    hasWholeChain: hasWholeChain(signer, parts.certificates),
    path: issuersOf(signer, parts.certificates),
    signingTime: signingTimeOf(attributes),
    timestamp: timestampOf(parts),
  }
}

/** The same for a time-stamp that is a signature of the file itself, by the authority. */
export const verifyDocumentTimestamp = (token: Buffer, digestOf: (hash: string) => Buffer): CmsReport => {
  const { at, digest, hash } = readTimestamp(token)
  const { signer, certificates } = readCms(token)
  const name = hashNames[hash]
  const path = issuersOf(signer, certificates)
  return {
    isIntact: name !== undefined && digest.equals(digestOf(name)) && isTokenIntact(token),
    signer,
    certificates,
    hasWholeChain: hasWholeChain(signer, certificates),
    path,
    signingTime: undefined,
    timestamp: { at, certificates: path },
  }
}

interface CmsParts {
  hash: string
  attributes: DerNode
  unsigned: DerNode | undefined
  signature: Buffer
  signer: X509Certificate
  certificates: X509Certificate[]
}

/** The signature's own statements, unchecked. */
export const readCms = (cms: Buffer): CmsParts => {
  const info = readDer(cms)
  if (oidOf(childAt(info, 0)) !== oids.signedData) throw new DerError('this is no signature')
  const fields = childrenOf(childAt(childAt(info, 1), 0))
  const certificates = childrenOf(fields.find(({ tag }) => tag === 0xa0) ?? { content: Buffer.alloc(0) }).map(
    asCertificate,
  )
  const signers = childrenOf(fields.at(-1) ?? { content: Buffer.alloc(0) })
  const [signerInfo] = signers
  if (!signerInfo || signers.length > 1) throw new DerError('there is not exactly one signer')
  const [, id, digestAlgorithm, attributes, , signature, unsigned] = childrenOf(signerInfo)
  if (!id || !digestAlgorithm || attributes?.tag !== 0xa0 || !signature) throw new DerError('the signer is not whole')
  const signer = certificates.find(({ raw }) => issuerAndSerial(raw).equals(id.raw))
  const hash = hashNames[oidOf(childAt(digestAlgorithm, 0))]
  if (!signer || !hash) throw new DerError('its certificate is missing, or its hash is not one of ours')
  return { hash, attributes, unsigned, signature: signature.content, signer, certificates }
}

const asCertificate = ({ raw }: DerNode): X509Certificate => {
  try {
    return new X509Certificate(raw)
  } catch (problem) {
    throw new DerError('a certificate cannot be read', { cause: problem })
  }
}

/** The only value of an attribute. */
const attributeValue = (attributes: DerNode, type: string): DerNode | undefined => {
  const found = childrenOf(attributes).find((attribute) => oidOf(childAt(attribute, 0)) === type)
  return found && childAt(childAt(found, 1), 0)
}

const signingTimeOf = (attributes: DerNode): Date | undefined => {
  const value = attributeValue(attributes, oids.signingTime)
  return value && timeOf(value)
}

/** Without this attribute somebody could put another certificate with the same key beside the signature. */
const namesCertificate = (attributes: DerNode, certificate: X509Certificate): boolean => {
  const value = attributeValue(attributes, oids.signingCertificateV2)
  if (!value) return false
  const fields = childrenOf(childAt(childAt(value, 0), 0))
  const [algorithm] = fields
  const hash = algorithm?.tag === 0x30 ? hashNames[oidOf(childAt(algorithm, 0))] : 'sha256'
  const expected = fields.find(({ tag }) => tag === 0x04)?.content
  return hash !== undefined && expected?.equals(createHash(hash).update(certificate.raw).digest()) === true
}

const hasWholeChain = (leaf: X509Certificate, certificates: readonly X509Certificate[]): boolean => {
  let current = leaf
  for (let step = 0; step <= certificates.length; step += 1) {
    if (current.issuer === current.subject) return current.verify(current.publicKey)
    const issuer = certificates.find((other) => current.checkIssued(other) && current.verify(other.publicKey))
    if (!issuer) return false
    current = issuer
  }
  return false
}

const timestampOf = ({ unsigned, signature }: CmsParts): StampedBy | undefined => {
  const token = unsigned && attributeValue(unsigned, oids.timeStampToken)
  if (!token) return undefined
  const { at, digest } = readTimestamp(token.raw)
  const isOurs = createHash('sha256').update(signature).digest().equals(digest)
  if (!isOurs || !isTokenIntact(token.raw)) return undefined
  const { signer, certificates } = readCms(token.raw)
  return { at, certificates: issuersOf(signer, certificates) }
}

const maxIssuers = 8

const issuersOf = (leaf: X509Certificate, certificates: readonly X509Certificate[]): X509Certificate[] => {
  const path = [leaf]
  const findIssuer = (issued: X509Certificate) =>
    certificates.find(
      (other) => other.ca && !path.includes(other) && issued.checkIssued(other) && issued.verify(other.publicKey),
    )
  for (let issuer = findIssuer(leaf); issuer && path.length < maxIssuers; issuer = findIssuer(issuer)) path.push(issuer)
  return path
}

const isTokenIntact = (token: Buffer): boolean => {
  const content = childAt(childAt(childAt(childAt(readDer(token), 1), 0), 2), 1)
  const signed = childAt(content, 0).content
  const { attributes, hash, signature, signer } = readCms(token)
  const signedBytes = setOf(childrenOf(attributes).map(({ raw }) => raw))
  const digest = createHash(hash).update(signed).digest()
  return (
    attributeValue(attributes, oids.messageDigest)?.content.equals(digest) === true &&
    verify(hash, signedBytes, signer.publicKey, signature)
  )
}
