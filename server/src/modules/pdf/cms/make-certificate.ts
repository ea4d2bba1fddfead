/** A certificate of our own for instances that were given none. No authority has issued it, and the interface says so. */
import { createHash, createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'
import {
  bitString,
  boolean,
  explicit,
  integer,
  octetString,
  oid,
  sequence,
  setOf,
  time,
  unsigned,
  utf8String,
} from '../asn1/der.ts'
import { oids } from './oids.ts'

const makeKeyPair = promisify(generateKeyPair)
const years = 10

export interface MadeCertificate {
  keyPem: string
  certificatePem: string
}

export const makeCertificate = async (now: Date, commonName: string): Promise<MadeCertificate> => {
  const { privateKey } = await makeKeyPair('ec', { namedCurve: 'prime256v1' })
  const certificate = selfSigned(privateKey, { now, commonName })
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return {
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificatePem: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}

const selfSigned = (key: KeyObject, { now, commonName }: { now: Date; commonName: string }): Buffer => {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const name = sequence(
    setOf([sequence(oid(oids.organizationName), utf8String('Chancery'))]),
    setOf([sequence(oid(oids.commonName), utf8String(commonName))]),
  )
  const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000 - 60_000)
  const notAfter = new Date(notBefore)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + years)
  const algorithm = sequence(oid(oids.ecdsaWithSha256))
  const body = sequence(
    explicit(0, integer(2)),
    unsigned(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey,
    explicit(3, sequence(...extensions(publicKey))),
  )
  return sequence(body, algorithm, bitString(sign('sha256', body, key)))
}

const extensions = (publicKey: Buffer): Buffer[] => [
  extension(oids.basicConstraints, sequence(), true),
  // digitalSignature and nonRepudiation: the first two bits.
  extension(oids.keyUsage, bitString(Buffer.from([0b1100_0000]), 6), true),
  extension(oids.extendedKeyUsage, sequence(oid(oids.documentSigning), oid(oids.emailProtection))),
  extension(oids.subjectKeyIdentifier, octetString(createHash('sha1').update(publicKey).digest())),
]

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octetString(value))
