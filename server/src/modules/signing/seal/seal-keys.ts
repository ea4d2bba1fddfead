/**
 * The key that seals documents: the operator's, from a P12 or PEM file that is checked when the service starts, or else
 * one that we make ourselves. A self-made key is stored encrypted in the database, so that all nodes use the same one.
 */
import './tables.ts'
import { createHash, type X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { KeyProblem, keyFromP12, keyFromPem, requireUsable } from './load-key.ts'
import { makeCertificate } from './make-certificate.ts'
import { findSelfMadeUnscoped, insertCertificateUnscoped, isKnownCertificateUnscoped } from './queries.ts'
import type { SealKey } from './seal-key.ts'

export interface SealKeys {
  /** A key that can seal now. Throws `seal_key_unusable` with the reason. */
  current(): Promise<SealKey>
  /** Whether a document was ever sealed with this certificate here. */
  isOurs(fingerprint: string): Promise<boolean>
  /** For the console: whose certificate it is and how long it lasts. */
  status(): Promise<SealKeyStatus>
}

export interface SealKeyStatus {
  subject: string
  issuer: string
  fingerprint: string
  validTo: Date
  isSelfMade: boolean
  /** Days until it expires, from 60 days on; negative once it has. */
  expiresInDays: number | null
}

type Needs = Pick<Kernel, 'config' | 'db' | 'clock' | 'sealer' | 'log' | 'externalUrl'>

const sealContext = 'signing:self-made-key'
const warnFromDays = 60
const dayMs = 86_400_000

export const createSealKeys = async (kernel: Needs): Promise<SealKeys> => {
  const { db, clock, log } = kernel
  const configured = await loadConfigured(kernel)
  let loading: Promise<SealKey> | undefined

  const load = async (): Promise<SealKey> => {
    if (!configured) return loadSelfMade(kernel)
    await insertCertificateUnscoped(db, {
      fingerprint: fingerprintOf(configured.certificate),
      origin: 'configured',
      certificatePem: configured.certificate.toString(),
      sealedKey: null,
      createdAt: clock.now(),
    })
    return configured
  }
  /** One attempt at a time; a failed one is made again by the next caller. */
  const loadOnce = (): Promise<SealKey> => {
    loading ??= load().catch((problem: unknown) => {
      loading = undefined
      throw problem
    })
    return loading
  }
  const statusOf = (key: SealKey): SealKeyStatus => ({
    subject: oneLine(key.certificate.subject),
    issuer: oneLine(key.certificate.issuer),
    fingerprint: fingerprintOf(key.certificate),
    validTo: key.certificate.validToDate,
    isSelfMade: key.isSelfMade,
    expiresInDays: expiresInDays(key.certificate, clock.now()),
  })
  if (configured) warnOfExpiry(log, statusOf(configured))

  return {
    async current() {
      const key = await loadOnce()
      try {
        requireUsable(key, clock.now())
      } catch (problem) {
        throw unusable(problem)
      }
      const status = statusOf(key)
      warnOfExpiry(log, status)
      return key
    },
    isOurs: (fingerprint) => isKnownCertificateUnscoped(db, fingerprint),
    status: async () => statusOf(await loadOnce()),
  }
}

/** An operator's key that cannot seal stops the start: the first signed document is the wrong time to notice. */
const loadConfigured = async ({ config, clock }: Needs): Promise<SealKey | undefined> => {
  const path = config.SIGNING_P12_PATH ?? config.SIGNING_PEM_PATH
  if (path === undefined) return undefined
  const name = config.SIGNING_P12_PATH ? 'SIGNING_P12_PATH' : 'SIGNING_PEM_PATH'
  try {
    const file = await readFile(path)
    const key = config.SIGNING_P12_PATH
      ? await keyFromP12(file, config.SIGNING_P12_PASSWORD ?? '')
      : keyFromPem({ keyPem: String(file), certificatePem: String(file) })
    requireUsable(key, clock.now())
    return key
  } catch (problem) {
    const reason = problem instanceof KeyProblem ? problem.message : `cannot be read: ${(problem as Error).message}`
    throw new StartError(`${name}: the file ${reason}.`, { cause: problem })
  }
}

/** When nodes make one at the same time, the first to be stored is everybody's. */
const loadSelfMade = async ({ db, clock, sealer, externalUrl }: Needs): Promise<SealKey> => {
  if (!(await findSelfMadeUnscoped(db))) {
    const made = await makeCertificate(clock.now(), new URL(externalUrl).hostname)
    await insertCertificateUnscoped(db, {
      fingerprint: fingerprintOf(keyFromPem(made).certificate),
      origin: 'self_made',
      certificatePem: made.certificatePem,
      sealedKey: sealer.seal(made.keyPem, sealContext),
      createdAt: clock.now(),
    })
  }
  const { certificatePem, sealedKey } = (await findSelfMadeUnscoped(db)) ?? {}
  try {
    const keyPem = sealer.open(sealedKey ?? '', sealContext)
    return keyFromPem({ keyPem, certificatePem: certificatePem ?? '' }, true)
  } catch (problem) {
    throw unusable(problem)
  }
}

const unusable = (problem: unknown): AppError =>
  new AppError('seal_key_unusable', {
    detail: `Documents can't be sealed: the certificate ${(problem as Error).message}.`,
    cause: problem,
  })

export const fingerprintOf = ({ raw }: X509Certificate): string => createHash('sha256').update(raw).digest('hex')

/** Node writes a name on several lines. */
export const oneLine = (name: string): string => name.split('\n').join(', ')

const expiresInDays = ({ validToDate }: X509Certificate, now: Date): number | null => {
  const days = Math.floor((validToDate.getTime() - now.getTime()) / dayMs)
  return days <= warnFromDays ? days : null
}

const warnOfExpiry = (log: Kernel['log'], { subject, validTo, expiresInDays: days }: SealKeyStatus): void => {
  if (days !== null) log.warn({ subject, validTo, days }, 'The certificate that seals documents expires soon.')
}
