/**
 * Collects proof that no certificate of a seal was revoked, from the addresses that the certificates name. A seal carries
 * it so that it can still be checked when those addresses are gone (PAdES B-LT). What can't be had leaves the seal as it is.
 */
import type { X509Certificate } from 'node:crypto'
import { DerError } from '#kernel/asn1/read-der.ts'
import type { Clock } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Outbound, OutboundRequest } from '#kernel/outbound/index.ts'
import type { SecurityStore } from '../pdf/security-store.ts'
import { partsOfCertificate, RevocationProblem, readCertificate } from './certificate-parts.ts'
import { readCrl } from './crl.ts'
import { type Issued, ocspRequest, type RevocationStatus, readOcsp } from './ocsp.ts'
import { oneLine } from './seal-keys.ts'

/** For the paths of the signer and of the time-stamp, the own certificate first. Undefined: it could not be had. */
export type FindRevocation = (paths: readonly (readonly X509Certificate[])[]) => Promise<SecurityStore | undefined>

/** A certificate of the seal is no longer to be believed. */
export class CertificateRevoked extends Error {}

interface Proof {
  kind: 'ocsps' | 'crls'
  bytes: Buffer
  status: RevocationStatus
}

const patienceMs = 5000
const maxBytes = { ocsp: 64 * 1024, crl: 512 * 1024, certificate: 64 * 1024 }
const maxPath = 6
const reuseMs = 600_000
const maxReused = 200

export const createFindRevocation = ({
  outbound,
  clock,
  log,
}: {
  outbound: Outbound
  clock: Clock
  log: Log
}): FindRevocation => {
  const known = new Map<string, { proof: Proof; until: number }>()

  const get = async (url: string, request: OutboundRequest): Promise<Buffer> => {
    const reply = await outbound.fetch(url, { ...request, firstByteMs: patienceMs, totalMs: patienceMs })
    const bytes = await reply.bytes()
    if (reply.status !== 200) throw new RevocationProblem(`${new URL(url).host} answered with status ${reply.status}`)
    return bytes
  }
  const askResponder = async (url: string, issued: Issued): Promise<Proof> => {
    const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' }
    const bytes = await get(url, { method: 'POST', headers, body: ocspRequest(issued), maxBytes: maxBytes.ocsp })
    return { kind: 'ocsps', bytes, status: readOcsp(bytes, issued, clock.now()) }
  }
  const readList = async (url: string, issued: Issued): Promise<Proof> => {
    const bytes = await get(url, { maxBytes: maxBytes.crl })
    return { kind: 'crls', bytes, status: readCrl(bytes, issued, clock.now()) }
  }
  const prove = async (issued: Issued): Promise<Proof> => {
    const { ocspUrls, crlUrls } = partsOfCertificate(issued.certificate.raw)
    return firstOf([
      ...ocspUrls.map((url) => () => askResponder(url, issued)),
      ...crlUrls.map((url) => () => readList(url, issued)),
    ])
  }
  /** Answers are good for hours; many documents are sealed with one certificate. */
  const proofFor = async (issued: Issued): Promise<Proof> => {
    const { fingerprint256 } = issued.certificate
    const reusable = known.get(fingerprint256)
    const nowMs = clock.now().getTime()
    if (reusable && nowMs < reusable.until) return reusable.proof
    const proof = await prove(issued)
    if (proof.status.isRevoked)
      throw new CertificateRevoked(`the certificate ${oneLine(issued.certificate.subject)} was revoked`)
    if (known.size >= maxReused) known.clear()
    known.set(fingerprint256, { proof, until: Math.min(nowMs + reuseMs, proof.status.validUntil.getTime()) })
    return proof
  }
  const issuerOf = async (
    certificate: X509Certificate,
    given: readonly X509Certificate[],
  ): Promise<X509Certificate> => {
    const found = given.find((other) => isIssuer(certificate, other))
    if (found) return found
    const { issuerUrls } = partsOfCertificate(certificate.raw)
    return firstOf(
      issuerUrls.map((url) => async () => {
        const issuer = readCertificate(await get(url, { maxBytes: maxBytes.certificate }))
        if (!isIssuer(certificate, issuer)) throw new RevocationProblem('a named issuer did not issue the certificate')
        return issuer
      }),
    )
  }
  const addPath = async (store: SecurityStore, given: readonly X509Certificate[]): Promise<void> => {
    let [current] = given
    for (let step = 0; current; step += 1) {
      if (step > maxPath) throw new RevocationProblem('the chain of certificates is too long')
      add(store.certificates, current.raw)
      if (current.issuer === current.subject) return
      const issuer = await issuerOf(current, given)
      const { kind, bytes } = await proofFor({ certificate: current, issuer })
      add(store[kind], bytes)
      current = issuer
    }
  }
  return async (paths) => {
    const store: SecurityStore = { certificates: [], ocsps: [], crls: [] }
    try {
      for (const path of paths) await addPath(store, path)
      return store.ocsps.length + store.crls.length === 0 ? undefined : store
    } catch (problem) {
      if (problem instanceof CertificateRevoked) throw problem
      if (!isExpected(problem)) throw problem
      log.warn({ err: problem }, 'A document is sealed without proof that its certificates were not revoked.')
      return undefined
    }
  }
}

/** The network's failures, and what can't be read. */
const isExpected = (problem: unknown): boolean =>
  problem instanceof RevocationProblem || problem instanceof DerError || problem instanceof AppError

const isIssuer = (certificate: X509Certificate, other: X509Certificate): boolean =>
  other.ca && certificate.checkIssued(other) && certificate.verify(other.publicKey)

const add = (list: Buffer[], bytes: Buffer): void => {
  if (!list.some((known) => known.equals(bytes))) list.push(bytes)
}

/** One address after the other, until one helps. */
const firstOf = async <Value>(attempts: readonly (() => Promise<Value>)[]): Promise<Value> => {
  let last: unknown = new RevocationProblem('a certificate names no address to ask')
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (problem) {
      last = problem
    }
  }
  throw last
}
