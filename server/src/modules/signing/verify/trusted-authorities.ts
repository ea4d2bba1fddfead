/**
 * Whether a time-stamp authority is one to believe: its certificate is for time-stamping, was valid at the time, and
 * leads to a root of this system or of the operator's own list. Anybody can make an authority that says any time.
 */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import { StartError } from '#kernel/process/start-error.ts'

export interface StampedBy {
  at: Date
  /** DER, the authority's own certificate first, each signed by the next. */
  certificates: readonly Buffer[]
}

export type IsTrusted = (stamp: StampedBy) => boolean

const timeStamping = '1.3.6.1.5.5.7.3.8'

/** `path`: a PEM file with further roots. Throws a `StartError` when it can't be used. */
export const createTrust = async (path: string | undefined): Promise<IsTrusted> => {
  const own = path === undefined ? [] : await readRoots(path)
  let roots: X509Certificate[] | undefined
  return (stamp) => {
    // Parsed at the first time-stamp that is checked: most instances never see one.
    roots ??= [...own, ...systemRoots()]
    return isTrusted(stamp, roots)
  }
}

const pemBlocks = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []

const readRoots = async (path: string): Promise<X509Certificate[]> => {
  const pem = await readFile(path, 'utf8').catch((problem: Error) => {
    throw new StartError(`SIGNING_TSA_CA_PATH: the file cannot be read: ${problem.message}.`, { cause: problem })
  })
  const roots = pemBlocks(pem).flatMap(readable)
  if (roots.length === 0) throw new StartError('SIGNING_TSA_CA_PATH: the file holds no certificate.')
  return roots
}

const systemRoots = (): X509Certificate[] =>
  [...new Set([...getCACertificates('bundled'), ...getCACertificates('system')])].flatMap(readable)

const readable = (certificate: string | Buffer): X509Certificate[] => {
  try {
    return [new X509Certificate(certificate)]
  } catch {
    return []
  }
}

/** The child has checked that each was signed by the next; here only our own roots' keys are used, which are never slow. */
const isTrusted = ({ at, certificates }: StampedBy, roots: readonly X509Certificate[]): boolean => {
  const path = certificates.flatMap(readable)
  if (!path[0]?.keyUsage?.includes(timeStamping)) return false
  for (const current of path) {
    if (current.validFromDate > at || current.validToDate < at) return false
    if (roots.some((root) => root.raw.equals(current.raw) || isIssuer(current, root))) return true
  }
  return false
}

const isIssuer = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
