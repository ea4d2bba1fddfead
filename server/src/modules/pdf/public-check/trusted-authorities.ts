/**
 * Decides if a time-stamp authority or a signer is known: their certificate is made for this, was valid at the time,
 * and leads to a root of this system or of the operator's own list. Anybody can make a root that says anything.
 */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { getCACertificates } from 'node:tls'
import { StartError } from '#kernel/process/start-error.ts'
import type { PdfConfig } from '../config.ts'

export interface Claim {
  at: Date
  /** DER, the authority's or signer's own certificate first, each signed by the next. */
  certificates: readonly Buffer[]
}

export type IsTrusted = (claim: Claim) => boolean

export interface Trust {
  authority: IsTrusted
  signer: IsTrusted
}

/** PEM files with further roots, for authorities and for signers. Throws a `StartError` when one can't be used. */
export const createTrust = async (
  config: Pick<PdfConfig, 'SIGNING_TSA_CA_PATH' | 'SIGNING_SIGNER_CA_PATH'>,
): Promise<Trust> => {
  const own = {
    authority: await readRoots(config, 'SIGNING_TSA_CA_PATH'),
    signer: await readRoots(config, 'SIGNING_SIGNER_CA_PATH'),
  }
  let system: X509Certificate[] | undefined
  const trust = (kind: keyof Trust, isMadeForIt: (certificate: X509Certificate) => boolean): IsTrusted => {
    return (claim) => {
      // Parsed at the first certificate that is checked: most instances never see one.
      system ??= systemRoots()
      return isTrusted(claim, [...own[kind], ...system], isMadeForIt)
    }
  }
  return { authority: trust('authority', isForTimeStamps), signer: trust('signer', isForDocuments) }
}

const timeStamping = '1.3.6.1.5.5.7.3.8'
const isForTimeStamps = ({ keyUsage }: X509Certificate): boolean => keyUsage?.includes(timeStamping) === true

/** Any purpose, email, documents; and the older names for the last by Adobe and Microsoft. A web site's is none of these. */
const documentUses = [
  '2.5.29.37.0',
  '1.3.6.1.5.5.7.3.4',
  '1.3.6.1.5.5.7.3.36',
  '1.2.840.113583.1.1.5',
  '1.3.6.1.4.1.311.10.3.12',
]
const isForDocuments = ({ keyUsage }: X509Certificate): boolean =>
  keyUsage === undefined || keyUsage.some((use) => documentUses.includes(use))

const pemBlocks = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []

type RootsVariable = 'SIGNING_TSA_CA_PATH' | 'SIGNING_SIGNER_CA_PATH'

const readRoots = async (config: Pick<PdfConfig, RootsVariable>, name: RootsVariable): Promise<X509Certificate[]> => {
  const path = config[name]
  if (path === undefined) return []
  const pem = await readFile(path, 'utf8').catch((problem: Error) => {
    throw new StartError(`${name}: the file cannot be read: ${problem.message}.`, { cause: problem })
  })
  const roots = pemBlocks(pem).flatMap(readable)
  if (roots.length === 0) throw new StartError(`${name}: the file holds no certificate.`)
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
const isTrusted = (
  { at, certificates }: Claim,
  roots: readonly X509Certificate[],
  isMadeForIt: (certificate: X509Certificate) => boolean,
): boolean => {
  const path = certificates.flatMap(readable)
  for (const [index, current] of path.entries()) {
    // An authority's own certificate may leave its purpose open.
    if (!isMadeForIt(current) && (index === 0 || current.keyUsage !== undefined)) return false
    if (current.validFromDate > at || current.validToDate < at) return false
    if (roots.some((root) => root.raw.equals(current.raw) || isIssuer(current, root))) return true
  }
  return false
}

const isIssuer = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
