/** A certificate authority and a time-stamp authority, both by openssl, which knows nothing of our code. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../harness/at-end.ts'

const configuration = `[req]
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
`
const keyKinds = {
  rsa: ['-newkey', 'rsa:2048'],
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
}

/** In a folder of its own, which is removed after the tests. Issues `rsa`, `ec` and `tsa`; `ca.crt` is their root. */
export const startOpenssl = () => {
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
  const issue = (name: string, section: string, kind: keyof typeof keyKinds): void => {
    const request = ['-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`]
    openssl('req', '-new', ...keyKinds[kind], ...request)
    const issuer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '3000']
    const extensions = ['-extfile', 'ca.cnf', '-extensions', section]
    openssl('x509', '-req', '-in', `${name}.csr`, ...issuer, ...extensions, '-out', `${name}.crt`)
  }

  write('ca.cnf', configuration)
  write('tsa.srl', '01\n')
  const root = ['-keyout', 'ca.key', '-out', 'ca.crt', '-days', '3650', '-config', 'ca.cnf']
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...root)
  issue('rsa', 'leaf', 'rsa')
  issue('ec', 'leaf', 'ec')
  issue('tsa', 'tsa_ext', 'rsa')
  const contents = ['-inkey', 'rsa.key', '-in', 'rsa.crt', '-certfile', 'ca.crt']
  openssl('pkcs12', '-export', ...contents, '-passout', 'pass:secret', '-out', 'rsa.p12')
  write('ec.pem', Buffer.concat([read('ec.key'), read('ec.crt'), read('ca.crt')]))

  return {
    openssl,
    path,
    write,
    read,
    /** What the time-stamp authority answers to a request, with these certificates besides its own. */
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
