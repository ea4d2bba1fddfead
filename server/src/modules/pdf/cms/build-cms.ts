/**
 * The signature inside a sealed PDF: a detached CMS as PAdES B-B asks (ETSI EN 319 142-1, table 1). It carries the signing
 * certificate's hash and no signing-time attribute, which the profile forbids; with a time-stamp it is B-T.
 */
import { createHash } from 'node:crypto'
import { explicit, implicit, integer, nothing, octetString, oid, sequence, setOf } from '../asn1/der.ts'
import { childAt, childrenOf, readDer } from '../asn1/read-der.ts'
import { oids } from './oids.ts'
import type { SealKey } from './seal-key.ts'

/** Answers with a time-stamp token over this signature value. */
export type Timestamp = (signature: Buffer) => Promise<Buffer>

/** `digest`: SHA-256 of the two byte ranges that the signature covers. */
export const buildCms = async (key: SealKey, digest: Buffer, timestamp?: Timestamp): Promise<Buffer> => {
  const attributes = signedAttributes(key.certificate.raw, digest)
  const signature = await key.sign(setOf(attributes))
  const token = timestamp && (await timestamp(signature))
  const signer = sequence(
    integer(1),
    issuerAndSerial(key.certificate.raw),
    sha256(),
    implicit(0, setOf(attributes)),
    signatureAlgorithm(key.kind),
    octetString(signature),
    ...(token ? [implicit(1, setOf([attribute(oids.timeStampToken, token)]))] : []),
  )
  const certificates = [key.certificate, ...key.chain].map(({ raw }) => raw)
  const signedData = sequence(
    integer(1),
    setOf([sha256()]),
    sequence(oid(oids.data)),
    implicit(0, setOf(certificates)),
    setOf([signer]),
  )
  return sequence(oid(oids.signedData), explicit(0, signedData))
}

const signedAttributes = (certificate: Buffer, digest: Buffer): Buffer[] => [
  attribute(oids.contentType, oid(oids.data)),
  attribute(oids.messageDigest, octetString(digest)),
  attribute(oids.signingCertificateV2, signingCertificate(certificate)),
]

/** SHA-256 is the default of ESSCertIDv2, and DER leaves defaults out. */
const signingCertificate = (certificate: Buffer): Buffer =>
  sequence(sequence(sequence(octetString(createHash('sha256').update(certificate).digest()))))

const attribute = (type: string, value: Buffer): Buffer => sequence(oid(type), setOf([value]))

const sha256 = (): Buffer => sequence(oid(oids.sha256))

const signatureAlgorithm = (kind: SealKey['kind']): Buffer =>
  kind === 'rsa' ? sequence(oid(oids.rsaEncryption), nothing()) : sequence(oid(oids.ecdsaWithSha256))

/** The name that CMS gives to a certificate. The version before the serial number is optional. */
export const issuerAndSerial = (certificate: Buffer): Buffer => {
  const fields = childrenOf(childAt(readDer(certificate), 0))
  const offset = fields[0]?.tag === 0xa0 ? 1 : 0
  const [serial, , issuer] = fields.slice(offset)
  if (!serial || !issuer) throw new Error('this is no certificate')
  return sequence(issuer.raw, serial.raw)
}
