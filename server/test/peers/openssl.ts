/** A certificate authority and a time-stamp authority, both by openssl, which knows nothing of our code. */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../harness/at-end.ts'

const keyFolder = fileURLToPath(new URL('../../../node_modules/.cache/chancery/test-keys', import.meta.url))

const configurationFor = (revocationHost: string): string => `[req]
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
${revocationHost && `authorityInfoAccess=OCSP;URI:http://${revocationHost}/ocsp,caIssuers;URI:http://${revocationHost}/ca.der\n`}[tsa_ext]
extendedKeyUsage=critical,timeStamping
${revocationHost && `crlDistributionPoints=URI:http://${revocationHost}/ca.crl\n`}[tsa]
default_tsa=tsa1
[tsa1]
serial=tsa.srl
default_policy=1.2.3.4.1
digests=sha256
signer_digest=sha256
accuracy=secs:1
[crl]
database=index.txt
default_md=sha256
default_crl_days=30
`
/**
 * The RSA keys of the authority, kept for later runs: finding their primes took 12 s of a whole run. Each appears under its
 * name only when it is complete, so workers that make it at the same time don't disturb each other.
 */
const rsaKey = (name: string): string => {
  const file = join(keyFolder, `${name}.key`)
  if (existsSync(file)) return file
  mkdirSync(keyFolder, { recursive: true })
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, privateKey, { mode: 0o600 })
  renameSync(partial, file)
  return file
}

/**
 * In a folder of its own, which is removed after the tests. Issues `rsa`, `ec` and `tsa`; `ca.crt` is their root. With a
 * `revocationHost`, certificates name it as where to ask whether they were revoked.
 */
export const startOpenssl = (revocationHost = '') => {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-openssl-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const openssl = (...args: string[]): string =>
    execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const path = (name: string): string => join(folder, name)
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(path(name), content)
    return name
  }
  const read = (name: string): Buffer => readFileSync(path(name))
  const issue = (name: string, section: string): void => {
    const subject = ['-key', `${name}.key`, '-subj', `/CN=${name}`, '-days', '3000', '-out', `${name}.crt`]
    const issuer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-config', 'ca.cnf', '-extensions', section]
    openssl('req', '-x509', ...subject, ...issuer)
  }

  write('ca.cnf', configurationFor(revocationHost))
  write('tsa.srl', '01\n')
  // Two authorities of one name with different keys, so that a test can confuse them.
  const authority = revocationHost === '' ? 'ca' : 'revoking-ca'
  for (const [name, key] of Object.entries({ ca: authority, rsa: 'rsa', tsa: 'tsa' }))
    copyFileSync(rsaKey(key), path(`${name}.key`))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  write('ec.key', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  openssl('req', '-x509', '-key', 'ca.key', '-out', 'ca.crt', '-days', '3650', '-config', 'ca.cnf')
  issue('rsa', 'leaf')
  issue('ec', 'leaf')
  issue('tsa', 'tsa_ext')
  const contents = ['-inkey', 'rsa.key', '-in', 'rsa.crt', '-certfile', 'ca.crt']
  openssl('pkcs12', '-export', ...contents, '-passout', 'pass:secret', '-out', 'rsa.p12')
  write('ec.pem', Buffer.concat([read('ec.key'), read('ec.crt'), read('ca.crt')]))

  return {
    openssl,
    path,
    write,
    read,
    /** The time-stamp authority's answer to a request, with these certificates besides its own. */
    timestampReply: (request: Buffer, chain = 'ca.crt'): Buffer => {
      write('q.tsq', request)
      const signer = ['-signer', 'tsa.crt', '-inkey', 'tsa.key', '-chain', chain]
      openssl(
        'ts',
        '-reply',
        '-config',
        'ca.cnf',
        '-section',
        'tsa1',
        '-queryfile',
        'q.tsq',
        ...signer,
        '-out',
        'r.tsr',
      )
      return read('r.tsr')
    },
    /** Throws unless openssl finds a valid CAdES signature over the content. */
    judge: ({ cms, content, trusted }: { cms: Buffer; content: Buffer; trusted: string }): void => {
      const files = ['-in', write('sig.der', cms), '-content', write('content.bin', content)]
      const trust = ['-CAfile', trusted, '-purpose', 'any']
      openssl('cms', '-verify', '-cades', '-binary', '-inform', 'DER', ...files, ...trust, '-out', '/dev/null')
    },
  }
}

export type Openssl = ReturnType<typeof startOpenssl>

/** The time-stamp authority over HTTP. `answer` replaces what it says. */
export const startTimestampAuthority = async ({ timestampReply }: Openssl) => {
  const state = { answer: undefined as { status: number; body: Buffer } | undefined }
  const server = createServer(async (request, reply) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { status, body } = state.answer ?? { status: 200, body: timestampReply(Buffer.concat(pieces)) }
    reply.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => new Promise((resolve) => server.close(resolve)))
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa` })
}

/**
 * Tells over HTTP which certificates of an authority were revoked: by OCSP for `rsa` and `ec`, by a list for `tsa`.
 * `isDown` makes it fail.
 */
export const startRevocation = async () => {
  const state = { isDown: false, revoked: [] as string[], requests: 0 }
  const answers: Record<string, (body: Buffer) => Buffer> = {}
  const server = createServer(async (request, reply) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    state.requests += 1
    const answer = state.isDown ? undefined : answers[request.url ?? '']
    reply.writeHead(answer ? 200 : 503).end(answer?.(Buffer.concat(pieces)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => new Promise((resolve) => server.close(resolve)))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const peer = startOpenssl(host)
  const { openssl, write, read } = peer
  const writeIndex = (): void => {
    const lines = ['rsa', 'ec', 'tsa'].map((name) => {
      const serial = new X509Certificate(read(`${name}.crt`)).serialNumber
      const [mark, at] = state.revoked.includes(name) ? ['R', '250101000000Z'] : ['V', '']
      return `${mark}\t360101000000Z\t${at}\t${serial}\tunknown\t/CN=${name}\n`
    })
    write('index.txt', lines.join(''))
  }
  const ocspReply = (request: Buffer): Buffer => {
    writeIndex()
    const signer = ['-CA', 'ca.crt', '-rsigner', 'ca.crt', '-rkey', 'ca.key', '-ndays', '1']
    openssl('ocsp', '-index', 'index.txt', ...signer, '-reqin', write('q.ocsp', request), '-respout', 'r.ocsp')
    return read('r.ocsp')
  }
  const list = (): Buffer => {
    writeIndex()
    openssl(
      'ca',
      '-gencrl',
      '-name',
      'crl',
      '-config',
      'ca.cnf',
      '-keyfile',
      'ca.key',
      '-cert',
      'ca.crt',
      '-out',
      'ca.crl',
    )
    openssl('crl', '-in', 'ca.crl', '-outform', 'DER', '-out', 'ca.crl.der')
    return read('ca.crl.der')
  }
  answers['/ocsp'] = ocspReply
  answers['/ca.crl'] = list
  answers['/ca.der'] = () => {
    openssl('x509', '-in', 'ca.crt', '-outform', 'DER', '-out', 'ca.der')
    return read('ca.der')
  }
  return Object.assign(state, { host, peer, ocspReply, list })
}
