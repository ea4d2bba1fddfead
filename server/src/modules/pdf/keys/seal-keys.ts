/**
 * The key that seals documents: the organization's own, else the operator's from a P12 or PEM file that is checked when
 * the service starts, else one that we make ourselves. Stored keys are encrypted in the database, so that all nodes use
 * the same ones.
 */
import './tables.ts'
import { createHash, type X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { KeyProblem, keyFromP12, keyFromPem, requireUsable } from '../cms/load-key.ts'
import { makeCertificate } from '../cms/make-certificate.ts'
import type { SealKey } from '../cms/seal-key.ts'
import type { PdfConfig } from '../config.ts'
import { findOrganizationKeyUnscoped, findSelfMadeUnscoped, insertCertificateUnscoped } from './queries.ts'

export interface SealKeys {
  /** The key for an organization's documents, usable or not. Throws `seal_key_unusable` when it cannot be opened. */
  find(organizationId: string | null): Promise<OwnedKey>
  /** The same, for a seal that is made now. Throws `seal_key_unusable` when it has expired. */
  current(organizationId: string | null): Promise<OwnedKey>
  /** True when a certificate is the one that the instance seals with now. */
  isInstances(fingerprint: string): Promise<boolean>
}

export interface OwnedKey {
  key: SealKey
  owner: 'organization' | 'instance'
}

type Needs = Pick<Kernel<PdfConfig>, 'config' | 'db' | 'clock' | 'sealer' | 'log' | 'externalUrl'>

const selfMadeContext = storedSeal({
  purpose: 'signing:self-made-key',
  table: 'seal_certificates',
  columns: ['sealed_key'],
  by: [],
})()
export const organizationContext = storedSeal({
  purpose: 'signing:organization-key',
  table: 'organization_seal_keys',
  columns: ['sealed_key'],
  by: ['organization_id'],
})

export const createSealKeys = async (kernel: Needs): Promise<SealKeys> => {
  const { db, clock, log, sealer } = kernel
  const configured = await loadConfigured(kernel)
  if (configured) warnOfExpiry(log, configured, clock.now())
  let loading: Promise<SealKey> | undefined

  /** One attempt at a time; a failed one is made again by the next caller. */
  const instanceKey = (): Promise<SealKey> => {
    loading ??= (configured ? Promise.resolve(configured) : loadSelfMade(kernel)).catch((problem: unknown) => {
      loading = undefined
      throw problem
    })
    return loading
  }
  /** Read each time, so that a change holds on every node at once. */
  const organizationKey = async (organizationId: string | null): Promise<SealKey | undefined> => {
    const row = organizationId === null ? undefined : await findOrganizationKeyUnscoped(db, organizationId)
    if (!row) return undefined
    return orUnusable(() => {
      const keyPem = sealer.open(row.sealedKey, organizationContext(row.organizationId))
      return keyFromPem({ keyPem, certificatePem: row.certificatePem })
    })
  }
  const find: SealKeys['find'] = async (organizationId) => {
    const own = await organizationKey(organizationId)
    return own ? { key: own, owner: 'organization' } : { key: await instanceKey(), owner: 'instance' }
  }

  return {
    find,
    async current(organizationId) {
      const found = await find(organizationId)
      orUnusable(() => requireUsable(found.key, clock.now()))
      warnOfExpiry(log, found.key, clock.now())
      return found
    },
    // A key that can't be opened any more vouches for nothing; the check of a file goes on without it.
    isInstances: (fingerprint) =>
      instanceKey().then(
        ({ certificate }) => fingerprintOf(certificate) === fingerprint,
        () => false,
      ),
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
      sealedKey: sealer.seal(made.keyPem, selfMadeContext),
      createdAt: clock.now(),
    })
  }
  const { certificatePem, sealedKey } = (await findSelfMadeUnscoped(db)) ?? {}
  return orUnusable(() => {
    const keyPem = sealer.open(sealedKey ?? '', selfMadeContext)
    return keyFromPem({ keyPem, certificatePem: certificatePem ?? '' }, true)
  })
}

const orUnusable = <Value>(load: () => Value): Value => {
  try {
    return load()
  } catch (problem) {
    const detail = `Documents can't be sealed: the certificate ${(problem as Error).message}.`
    throw new AppError('seal_key_unusable', { detail, cause: problem })
  }
}

export const fingerprintOf = ({ raw }: X509Certificate): string => createHash('sha256').update(raw).digest('hex')

/** Node writes a name on several lines. */
export const oneLine = (name: string): string => name.split('\n').join(', ')

const warnFromDays = 60
const dayMs = 86_400_000

/** Days until a certificate expires, from 60 days before; negative once it has. */
export const expiresInDays = ({ certificate }: Pick<SealKey, 'certificate'>, now: Date): number | null => {
  const days = Math.floor((certificate.validToDate.getTime() - now.getTime()) / dayMs)
  return days <= warnFromDays ? days : null
}

const warnOfExpiry = (log: Kernel['log'], key: SealKey, now: Date): void => {
  const days = expiresInDays(key, now)
  const { subject, validTo } = key.certificate
  if (days !== null) log.warn({ subject: oneLine(subject), validTo, days }, 'A sealing certificate expires soon.')
}
