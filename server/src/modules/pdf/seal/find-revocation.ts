/**
 * Collects proof that no certificate of a seal was revoked, from the addresses that the certificates name. A seal carries
 * it so that it can still be checked when those addresses are gone (PAdES B-LT). What can't be had leaves the seal as it is.
 */
import type { X509Certificate } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { defineComputation } from '#kernel/compute/computation.ts'
import type { Compute } from '#kernel/compute/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Outbound, OutboundRequest } from '#kernel/outbound/index.ts'
import { partsOfCertificate, RevocationProblem, readCertificate } from '../cms/certificate-parts.ts'
import type { compute as readCrl } from '../cms/crl.computation.ts'
import { type Issued, ocspRequest, type RevocationStatus, readOcsp } from '../cms/ocsp.ts'
import { isExpected, RecentAnswers } from '../cms/recent-answers.ts'
import { oneLine } from '../keys/seal-keys.ts'
import type { SecurityStore } from '../read/security-store.ts'

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
/** For all certificates of a seal together: somebody waits for it. */
const searchMs = 10_000
const maxBytes = { ocsp: 64 * 1024, crl: 512 * 1024, certificate: 64 * 1024 }
const maxPath = 6

const readingCrl = defineComputation<typeof readCrl>({
  name: 'certificate-list',
  module: new URL('../cms/crl.computation.ts', import.meta.url),
  deadlineMs: 2000,
  maxInputBytes: maxBytes.crl + 4 * maxBytes.certificate,
})

interface Needs {
  compute: Compute
  outbound: Outbound
  clock: Clock
  log: Log
}

export const createFindRevocation = ({ compute, outbound, clock, log }: Needs): FindRevocation => {
  const proofs = new RecentAnswers<Proof>(clock)
  const issuers = new RecentAnswers<X509Certificate>(clock)

  const get = async (url: string, request: OutboundRequest): Promise<Buffer> => {
    const reply = await outbound.fetch(url, { ...request, firstByteMs: patienceMs, totalMs: patienceMs })
    const bytes = await reply.bytes()
    if (reply.status !== 200) throw new RevocationProblem(`${new URL(url).host} answered with status ${reply.status}`)
    return bytes
  }
  const askResponder = async (url: string, issued: Issued, signal: AbortSignal): Promise<Proof> => {
    const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' }
    const body = ocspRequest(issued)
    const bytes = await get(url, { method: 'POST', headers, body, maxBytes: maxBytes.ocsp, signal })
    return { kind: 'ocsps', bytes, status: readOcsp(bytes, issued, clock.now()) }
  }
  const readList = async (url: string, issued: Issued, signal: AbortSignal): Promise<Proof> => {
    const bytes = await get(url, { maxBytes: maxBytes.crl, signal })
    const { certificate, issuer } = issued
    const list = { file: bytes, certificate: certificate.raw, issuer: issuer.raw, now: clock.now().getTime() }
    const read = await compute(readingCrl, list, { owner: issuer.fingerprint256, signal }).catch((problem: unknown) => {
      if (problem instanceof AppError) return { problem: problem.message }
      throw problem
    })
    if ('problem' in read) throw new RevocationProblem(read.problem)
    return { kind: 'crls', bytes, status: read }
  }
  /** Answers are good for hours; many documents are sealed with one certificate. */
  const proofFor = (issued: Issued, signal: AbortSignal): Promise<Proof> =>
    proofs.find(issued.certificate, async () => {
      const { ocspUrls, crlUrls } = partsOfCertificate(issued.certificate.raw)
      const proof = await firstOf([
        ...ocspUrls.map((url) => () => askResponder(url, issued, signal)),
        ...crlUrls.map((url) => () => readList(url, issued, signal)),
      ])
      if (proof.status.isRevoked)
        throw new CertificateRevoked(`the certificate ${oneLine(issued.certificate.subject)} was revoked`)
      return { value: proof, validUntil: proof.status.validUntil }
    })
  const loadIssuer = (certificate: X509Certificate, signal: AbortSignal): Promise<X509Certificate> =>
    issuers.find(certificate, async () => {
      const { issuerUrls } = partsOfCertificate(certificate.raw)
      const value = await firstOf(
        issuerUrls.map((url) => async () => {
          const issuer = readCertificate(await get(url, { maxBytes: maxBytes.certificate, signal }))
          if (!isIssuer(certificate, issuer))
            throw new RevocationProblem('a named issuer did not issue the certificate')
          return issuer
        }),
      )
      return { value }
    })
  const addPath = async (
    store: SecurityStore,
    given: readonly X509Certificate[],
    signal: AbortSignal,
  ): Promise<void> => {
    let [current] = given
    for (let step = 0; current; step += 1) {
      if (step > maxPath) throw new RevocationProblem('the chain of certificates is too long')
      add(store.certificates, current.raw)
      if (current.issuer === current.subject) return
      const certificate: X509Certificate = current
      const issuer = given.find((other) => isIssuer(certificate, other)) ?? (await loadIssuer(certificate, signal))
      const { kind, bytes } = await proofFor({ certificate, issuer }, signal)
      add(store[kind], bytes)
      current = issuer
    }
  }
  return async (paths) => {
    const store: SecurityStore = { certificates: [], ocsps: [], crls: [] }
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(new RevocationProblem('it took too long')), searchMs)
    try {
      for (const path of paths) await addPath(store, path, stop.signal)
      return store.ocsps.length + store.crls.length === 0 ? undefined : store
    } catch (problem) {
      if (!isExpected(problem)) throw problem
      log.warn({ err: problem }, 'A document is sealed without proof that its certificates were not revoked.')
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
}

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
