/** Certificates for peers that speak TLS, made with openssl: an authority of the test's own, and what it signs. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Certificates {
  caPem: string
  caFile: string
  certFile: string
  keyFile: string
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']

/** For 127.0.0.1 by default; each call creates a new authority. */
export const makeCertificates = async (folder: string, { san = 'IP:127.0.0.1' } = {}): Promise<Certificates> => {
  const path = (name: string) => join(folder, name)
  const [caFile, caKey, certFile, keyFile] = [path('ca.crt'), path('ca.key'), path('server.crt'), path('server.key')]
  await run('openssl', ['req', '-x509', ...newKey, '-subj', '/CN=Test authority', '-keyout', caKey, '-out', caFile])
  const signed = ['-CA', caFile, '-CAkey', caKey, '-addext', `subjectAltName=${san}`]
  const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE']
  const subject = ['-subj', '/CN=Test directory', '-keyout', keyFile, '-out', certFile]
  await run('openssl', ['req', '-x509', ...newKey, ...signed, ...leaf, ...subject])
  return { caPem: await readFile(caFile, 'utf8'), caFile, certFile, keyFile }
}
