/** Seals are judged by openssl, which knows nothing of our code, and by our own verifier, which must agree. */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildCms } from './build-cms.ts'
import { KeyProblem, keyFromP12, keyFromPem, requireUsable } from './load-key.ts'
import { makeCertificate } from './make-certificate.ts'
import type { SealKey } from './seal-key.ts'
import { TimestampProblem, timestampRequest, tokenIn } from './timestamp.ts'
import { verifyCms } from './verify-cms.ts'

const folder = mkdtempSync(join(tmpdir(), 'chancery-cms-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const openssl = (...args: string[]): string =>
  execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return name
}
const read = (name: string): Buffer => readFileSync(join(folder, name))

write(
  'ca.cnf',
  `[req]
distinguished_name=dn
prompt=no
x509_extensions=ca
[dn]
CN=A test CA
[ca]
basicConstraints=critical,CA:TRUE
keyUsage=keyCertSign,cRLSign
[leaf]
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,nonRepudiation
extendedKeyUsage=1.3.6.1.5.5.7.3.36,emailProtection
[tsa_ext]
extendedKeyUsage=critical,timeStamping
[tsa]
default_tsa=tsa1
[tsa1]
serial=tsa.srl
default_policy=1.2.3.4.1
digests=sha256
signer_digest=sha256
accuracy=secs:1
`,
)
write('tsa.srl', '01\n')
openssl(
  'req',
  '-x509',
  '-newkey',
  'rsa:2048',
  '-nodes',
  '-keyout',
  'ca.key',
  '-out',
  'ca.crt',
  '-days',
  '3650',
  '-config',
  'ca.cnf',
)
const issue = (name: string, section: string, newKey: string[]): void => {
  openssl('req', '-new', ...newKey, '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
  openssl(
    ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '3000'],
    ...['-extfile', 'ca.cnf', '-extensions', section, '-out', `${name}.crt`],
  )
}
issue('rsa', 'leaf', ['-newkey', 'rsa:2048'])
issue('ec', 'leaf', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'])
issue('tsa', 'tsa_ext', ['-newkey', 'rsa:2048'])
openssl(
  'pkcs12',
  '-export',
  '-inkey',
  'rsa.key',
  '-in',
  'rsa.crt',
  '-certfile',
  'ca.crt',
  '-passout',
  'pass:secret',
  '-out',
  'rsa.p12',
)

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
  write('q.tsq', request.body)
  openssl(
    'ts',
    '-reply',
    '-config',
    'ca.cnf',
    '-section',
    'tsa1',
    '-queryfile',
    'q.tsq',
    '-signer',
    'tsa.crt',
    '-inkey',
    'tsa.key',
    '-chain',
    'ca.crt',
    '-out',
    'r.tsr',
  )
  return tokenIn(read('r.tsr'), request)
}

const content = randomBytes(5000)
const digestOf = (hash: string): Buffer => createHash(hash).update(content).digest()
const judge = (cms: Buffer, trusted: string): string => {
  write('sig.der', cms)
  write('content.bin', content)
  return execFileSync(
    'openssl',
    [
      'cms',
      '-verify',
      '-cades',
      '-binary',
      '-inform',
      'DER',
      '-in',
      'sig.der',
      '-content',
      'content.bin',
      '-CAfile',
      trusted,
      '-purpose',
      'any',
      '-out',
      '/dev/null',
    ],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
}

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
    expect(report).toMatchObject({ isIntact: true, hasWholeChain: true, timestampedAt: undefined })
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
    expect(verifyCms(cms, digestOf).timestampedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000)
    const moved = await buildCms(key, digestOf('sha256'), () => timestamp(Buffer.from('another signature')))
    expect(verifyCms(moved, digestOf)).toMatchObject({ isIntact: true, timestampedAt: undefined })
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
