/** Reads the sealing key from PEM texts or a P12 file, and refuses what could not seal, with the reason. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import type { SealKey } from './seal-key.ts'

export class KeyProblem extends Error {}

const signAsync = promisify((data: Buffer, key: KeyObject, done: (problem: Error | null, signature?: Buffer) => void) =>
  sign('sha256', data, key, (problem, signature) => done(problem, signature)),
)

/** The certificate comes first in `certificatePem`, its chain after it. */
export const keyFromPem = (
  { keyPem, certificatePem }: { keyPem: string; certificatePem: string },
  isSelfMade = false,
): SealKey => {
  const [certificate, ...chain] = certificatesIn(certificatePem)
  if (!certificate) throw new KeyProblem('holds no certificate')
  const key = privateKeyIn(keyPem)
  if (!certificate.checkPrivateKey(key)) throw new KeyProblem('has a key that does not belong to its certificate')
  return {
    certificate,
    chain,
    kind: kindOf(key),
    isSelfMade,
    sign: async (data) => (await signAsync(data, key)) ?? Buffer.alloc(0),
  }
}

/** The library that reads P12 files is loaded only where there is one. */
export const keyFromP12 = async (file: Buffer, password: string): Promise<SealKey> => {
  const { P12Signer } = await import('@libpdf/core')
  const signer = await P12Signer.create(file, password).catch((problem: unknown) => {
    throw new KeyProblem('cannot be opened: the password is wrong, or it is no P12 file', { cause: problem })
  })
  const certificate = new X509Certificate(signer.certificate)
  return {
    certificate,
    chain: signer.certificateChain
      .map((der) => new X509Certificate(der))
      .filter(({ raw }) => !raw.equals(certificate.raw)),
    kind: kindOf(certificate.publicKey),
    isSelfMade: false,
    sign: async (data) => Buffer.from(await signer.sign(data, 'SHA-256')),
  }
}

/** Throws where a seal made now would not be believed. */
export const requireUsable = ({ certificate }: SealKey, now: Date): void => {
  if (new Date(certificate.validTo) <= now) throw new KeyProblem(`expired on ${certificate.validTo}`)
  if (new Date(certificate.validFrom) > now) throw new KeyProblem(`is valid only from ${certificate.validFrom}`)
}

const certificatesIn = (pem: string): X509Certificate[] => {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

const privateKeyIn = (pem: string): KeyObject => {
  try {
    return createPrivateKey(pem)
  } catch (problem) {
    throw new KeyProblem('holds no private key that can be read', { cause: problem })
  }
}

const kindOf = (key: KeyObject): SealKey['kind'] => {
  const { asymmetricKeyType } = key.type === 'private' ? createPublicKey(key) : key
  if (asymmetricKeyType === 'rsa') return 'rsa'
  if (asymmetricKeyType === 'ec') return 'ec'
  throw new KeyProblem(`has a key of type ${asymmetricKeyType}; RSA and EC keys can seal`)
}
