/** Seals are judged by openssl, which knows nothing of our code, and by our own verifier, which must agree. */
import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startOpenssl, startRevocation } from '#test/peers/openssl.ts'
import { buildCms } from './build-cms.ts'
import { RevocationProblem } from './certificate-parts.ts'
import { readCrl } from './crl.ts'
import { KeyProblem, keyFromP12, keyFromPem, requireUsable } from './load-key.ts'
import { makeCertificate } from './make-certificate.ts'
import { ocspRequest, readOcsp } from './ocsp.ts'
import type { SealKey } from './seal-key.ts'
import { TimestampProblem, timestampRequest, tokenIn } from './timestamp.ts'
import { verifyCms } from './verify-cms.ts'

const { openssl, read, write, timestampReply, ...peer } = startOpenssl()

const issued = (name: string): SealKey =>
  keyFromPem({ keyPem: String(read(`${name}.key`)), certificatePem: `${read(`${name}.crt`)}${read('ca.crt')}` })
const selfMade = async (): Promise<SealKey> => {
  const made = await makeCertificate(new Date(), 'A test instance')
  write('self.crt', made.certificatePem)
  return keyFromPem(made, true)
}

/** A real authority, asked with our request. */
const timestamp = async (signature: Buffer): Promise<Buffer> => {
  const request = timestampRequest(signature)
  return tokenIn(timestampReply(request.body), request)
}

const content = randomBytes(5000)
const digestOf = (hash: string): Buffer => createHash(hash).update(content).digest()
const judge = (cms: Buffer, trusted: string): void => peer.judge({ cms, content, trusted })

describe('a signature of ours', () => {
  it.each<[string, () => Promise<SealKey>, string]>([
    ['with an RSA key', async () => issued('rsa'), 'ca.crt'],
    ['with an EC key', async () => issued('ec'), 'ca.crt'],
    ['with a P12 file', () => keyFromP12(read('rsa.p12'), 'secret'), 'ca.crt'],
    ['with a certificate of our own', selfMade, 'self.crt'],
  ])('%s is valid CAdES for openssl and for us', async (_name, load, trusted) => {
    const key = await load()
    const cms = await buildCms(key, digestOf('sha256'))
    expect(() => judge(cms, trusted)).not.toThrow()
    const report = verifyCms(cms, digestOf)
    expect(report).toMatchObject({ isIntact: true, hasWholeChain: true, timestamp: undefined })
    expect(report.signer.raw.equals(key.certificate.raw)).toBe(true)
  })

  it('has no signing-time attribute, which PAdES forbids', async () => {
    write('sig.der', await buildCms(issued('rsa'), digestOf('sha256')))
    const printed = openssl('cms', '-cmsout', '-print', '-inform', 'DER', '-in', 'sig.der')
    expect(printed).toContain('signingCertificateV2')
    expect(printed).not.toContain('signingTime')
  })

  it('carries a time-stamp that we believe only if it is over this signature', async () => {
    const key = issued('rsa')
    const cms = await buildCms(key, digestOf('sha256'), timestamp)
    expect(() => judge(cms, 'ca.crt')).not.toThrow()
    expect(verifyCms(cms, digestOf).timestamp?.at.getTime()).toBeGreaterThan(Date.now() - 60_000)
    const moved = await buildCms(key, digestOf('sha256'), () => timestamp(Buffer.from('another signature')))
    expect(verifyCms(moved, digestOf)).toMatchObject({ isIntact: true, timestamp: undefined })
  })

  it('tells of the certificates in a time-stamp only those that issued each other: a file can hold any number', async () => {
    const stamp = async (signature: Buffer): Promise<Buffer> => {
      const request = timestampRequest(signature)
      write('many.crt', Buffer.concat(['rsa', 'ca', 'ec'].map((name) => read(`${name}.crt`))))
      return tokenIn(timestampReply(request.body, 'many.crt'), request)
    }
    const { timestamp } = verifyCms(await buildCms(issued('rsa'), digestOf('sha256'), stamp), digestOf)
    expect(timestamp?.certificates.map(({ subject }) => subject)).toEqual(['CN=tsa', 'CN=A test CA'])
  })

  it('is not intact over other bytes, nor with another certificate beside it', async () => {
    const cms = await buildCms(issued('rsa'), digestOf('sha256'))
    expect(verifyCms(cms, (hash) => createHash(hash).update('other').digest()).isIntact).toBe(false)
    const broken = Buffer.from(cms)
    const last = broken.length - 1
    broken[last] = (broken[last] ?? 0) ^ 1
    expect(verifyCms(broken, digestOf).isIntact).toBe(false)
  })

  it('accepts no damaged byte', async () => {
    const cms = await buildCms(issued('ec'), digestOf('sha256'))
    for (let at = 0; at < cms.length; at += 7) {
      const broken = Buffer.from(cms)
      broken[at] = (broken[at] ?? 0) ^ 0x11
      const isIntact = (() => {
        try {
          return verifyCms(broken, digestOf).isIntact && verifyCms(broken, digestOf).hasWholeChain
        } catch {
          return false
        }
      })()
      // The certificate of the CA is not part of what the signature covers, only its own chain check is.
      if (isIntact) expect(verifyCms(broken, digestOf).signer.raw.equals(issued('ec').certificate.raw)).toBe(true)
    }
  })
})

describe('a sealing key', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'without a certificate',
      () => keyFromPem({ keyPem: String(read('rsa.key')), certificatePem: '' }),
      /no certificate/,
    ],
    [
      'of another certificate',
      () => keyFromPem({ keyPem: String(read('rsa.key')), certificatePem: String(read('ec.crt')) }),
      /does not belong/,
    ],
    [
      'that is no key',
      () => keyFromPem({ keyPem: 'nonsense', certificatePem: String(read('ec.crt')) }),
      /no private key/,
    ],
    ['that has expired', () => requireUsable(issued('rsa'), new Date('2090-01-01')), /expired/],
  ])('%s is refused with the reason', (_name, load, reason) => {
    expect(load).toThrow(KeyProblem)
    expect(load).toThrow(reason)
  })

  it('in a P12 file is refused when the password is wrong', async () => {
    await expect(keyFromP12(read('rsa.p12'), 'wrong')).rejects.toThrow(KeyProblem)
  })
})

describe('the answer of a time-stamp authority', () => {
  it('is refused when it answers another request, is cut, or is no answer at all', async () => {
    await timestamp(Buffer.from('a signature'))
    const reply = read('r.tsr')
    const other = timestampRequest(Buffer.from('a signature'))
    expect(() => tokenIn(reply, other)).toThrow(TimestampProblem)
    expect(() => tokenIn(reply.subarray(0, 40), other)).toThrow(TimestampProblem)
    expect(() => tokenIn(Buffer.from('<html>'), other)).toThrow(TimestampProblem)
  })
})

describe('what an authority says about revoked certificates', () => {
  it('is believed only about its own certificates, unchanged and in time', async () => {
    const revocation = await startRevocation()
    const issuedBy = (name: string) => ({
      certificate: new X509Certificate(revocation.peer.read(`${name}.crt`)),
      issuer: new X509Certificate(revocation.peer.read('ca.crt')),
    })
    const [ec, rsa] = [issuedBy('ec'), issuedBy('rsa')]
    const now = new Date()
    const later = new Date(now.getTime() + 40 * 86_400_000)
    const stranger = { ...ec, issuer: new X509Certificate(read('ca.crt')) }
    revocation.revoked = ['rsa']
    const [answer, bad, list] = [
      revocation.ocspReply(ocspRequest(ec)),
      revocation.ocspReply(ocspRequest(rsa)),
      revocation.list(),
    ]
    expect(readOcsp(answer, ec, now).isRevoked).toBe(false)
    expect(readOcsp(bad, rsa, now).isRevoked).toBe(true)
    expect(readCrl(list, ec, now).isRevoked).toBe(false)
    expect(readCrl(list, rsa, now).isRevoked).toBe(true)
    const flipped = (bytes: Buffer): Buffer => {
      const copy = Buffer.from(bytes)
      copy[copy.length - 20] = (copy[copy.length - 20] ?? 0) ^ 1
      return copy
    }
    for (const wrong of [
      () => readOcsp(bad, ec, now),
      () => readOcsp(answer, stranger, now),
      () => readOcsp(answer, ec, later),
      () => readOcsp(Buffer.from('30030a0106', 'hex'), ec, now),
      () => readCrl(list, stranger, now),
      () => readCrl(list, ec, later),
      () => readCrl(flipped(list), ec, now),
    ])
      expect(wrong).toThrow(RevocationProblem)
  })
})
