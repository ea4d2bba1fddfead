/**
 * Seals a finished document: composed from the original bytes in the child, signed here, checked by the same code that
 * checks strangers' files, and staged. A failure leaves nothing behind.
 */
import { createHash, X509Certificate } from 'node:crypto'
import type { Blobs, StagedBlob } from '#kernel/blobs/index.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Failpoints } from '#kernel/failpoints.ts'
import type { Log } from '#kernel/log.ts'
import type { ComposeFiles, PdfChild } from '../child/pdf-child.ts'
import { buildCms, type Timestamp } from '../cms/build-cms.ts'
import type { SealKey } from '../cms/seal-key.ts'
import type { SealedFile, SealRequest } from '../interface.ts'
import { insertSealUnscoped } from '../keys/queries.ts'
import { fingerprintOf, type OwnedKey, oneLine, type SealKeys } from '../keys/seal-keys.ts'
import type { Comparison, Difference } from '../proof/compare-drawn.ts'
import type { SecurityStore } from '../read/security-store.ts'
import type { ReportedSignatures, SignatureReport } from '../verify/read-signatures.ts'
import { composeInput } from './compose-input.ts'
import { CertificateRevoked, type FindRevocation } from './find-revocation.ts'
import { createUnsigned, type SignedFile, type UnsignedFile } from './unsigned-file.ts'

export interface SealNeeds {
  child: PdfChild
  keys: SealKeys
  blobs: Blobs
  clock: Clock
  db: Db
  /** The page where anybody can check a sealed file. */
  verifyUrl: string
  timestamp: Timestamp | undefined
  findRevocation: FindRevocation
  failpoints: Failpoints
  log: Log
}

export const sealPdf = async (needs: SealNeeds, request: SealRequest): Promise<SealedFile> => {
  const { key, owner } = await needs.keys.current(request.organizationId)
  const sealedAt = new Date(Math.floor(needs.clock.now().getTime() / 1000) * 1000)
  const hasTimestamp = needs.timestamp !== undefined
  const input = composeInput(request, key, { sealedAt, verifyUrl: needs.verifyUrl, hasTimestamp })
  const task = { input, key, owner, sealedAt, tenant: request.tenant }
  const { report, blob, level, comparison } = await (hasTimestamp
    ? sealWithTimestamp(needs, task)
    : sealAtOnce(needs, task))
  return {
    blobId: blob.key,
    sha256: blob.sha256,
    bytes: blob.size,
    signedAt: report.timestampedAt === null ? sealedAt : new Date(report.timestampedAt),
    signer: oneLine(key.certificate.subject),
    level,
    comparison,
  }
}

interface SealTask {
  input: ComposeFiles
  key: SealKey
  owner: OwnedKey['owner']
  sealedAt: Date
  tenant: string
}

interface Signed {
  file: SignedFile
  cms: Buffer
  /** Records the signature as ours. A record of a file that nobody gets is harmless. */
  record(): Promise<unknown>
}

interface Staged {
  report: SignatureReport
  blob: StagedBlob
  level: SealedFile['level']
  comparison: SealedFile['comparison']
}

const sign = async (
  { db, timestamp }: SealNeeds,
  { input, key, owner, sealedAt }: SealTask,
  unsigned: UnsignedFile,
): Promise<Signed> => {
  const cms = await buildCms(key, unsigned.digest(), timestamp)
  const signatureSha256 = createHash('sha256').update(cms).digest('hex')
  const { documentId } = input.request
  const record = () => insertSealUnscoped(db, { signatureSha256, documentId, createdAt: sealedAt, sealedBy: owner })
  return { file: unsigned.sign(cms), cms, record }
}

const stage = ({ blobs }: SealNeeds, bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob> =>
  blobs.stage(bytes, { area: 'signing', contentType: 'application/pdf' })

/**
 * The child waits for the signature and checks the whole file itself, so the file crosses to it only once. It is stored
 * and recorded meanwhile, and discarded if it fails the check or is not the one that was checked.
 */
const sealAtOnce = async (needs: SealNeeds, task: SealTask): Promise<Staged> => {
  const unsigned = createUnsigned()
  const signing = Promise.withResolvers<Signed>()
  const checking = needs.child.composeAndCheck(
    task.input,
    {
      ...unsigned,
      sign: async () => {
        sign(needs, task, unsigned).then(signing.resolve, signing.reject)
        return (await signing.promise).cms
      },
    },
    task.tenant,
  )
  const { file, record } = await Promise.race([
    signing.promise,
    checking.then(({ comparison }) => neverAsked(comparison)),
  ])
  const [checked, staged, recorded] = await Promise.allSettled([checking, stage(needs, file.read()), record()])
  try {
    const [{ comparison, checked: found }, blob] = [fulfilled(checked), fulfilled(staged)]
    fulfilled(recorded)
    if (found?.sha256 !== blob.sha256) throw unverified()
    const report = requireOurs(found, task.key)
    return { report, blob, level: 'B-B', comparison: requireSame(comparison) }
  } catch (problem) {
    if (staged.status === 'fulfilled') await needs.blobs.discardUnclaimed([staged.value.key])
    throw problem
  }
}

const neverAsked = (comparison: Comparison): never => {
  requireSame(comparison)
  throw new Error('The child did not ask for the signature.')
}

const fulfilled = <Value>(result: PromiseSettledResult<Value>): Value => {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/**
 * Proof that no certificate was revoked follows the signature where it can be had. No child waits meanwhile: authorities
 * may be slow.
 */
const sealWithTimestamp = async (needs: SealNeeds, task: SealTask): Promise<Staged> => {
  const { input, key, tenant } = task
  const unsigned = createUnsigned()
  const comparison = requireSame(await needs.child.compose(input, unsigned, tenant))
  const { file, record } = await sign(needs, task, unsigned)
  const report = requireOurs(await needs.child.verify(file.read(), tenant), key)
  if (report.timestampedAt === null)
    throw new AppError('seal_timestamp_failed', {
      detail: "The time-stamp authority's answer isn't signed as it should be.",
    })
  await needs.failpoints.hit('seal: signed')
  const store = await findStore(needs, key, report)
  const tail = store && (await makeTail(needs, { file, key, tenant }, store))
  await needs.failpoints.hit('seal: extended')
  await record()
  return { report, blob: await stage(needs, file.read(tail)), level: tail ? 'B-LT' : 'B-T', comparison }
}

/** Undefined where the child's limits are too small for a longer file: the seal is complete without it. */
const makeTail = async (
  { child, log }: SealNeeds,
  { file, key, tenant }: Pick<SealTask, 'key' | 'tenant'> & Pick<Signed, 'file'>,
  store: SecurityStore,
): Promise<Buffer | undefined> => {
  try {
    const tail = await child.secure({ stream: file.read(), size: file.size }, store, tenant)
    requireOurs(await child.verify(file.read(tail), tenant), key)
    return tail
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.code !== 'pdf_too_complex') throw problem
    log.warn({ err: problem }, 'A document is too large to add proof that its certificates were not revoked.')
    return undefined
  }
}

/** A certificate that its issuer has revoked seals nothing. */
const findStore = async (
  { findRevocation }: SealNeeds,
  { certificate, chain }: SealKey,
  { timestampCertificates }: SignatureReport,
): Promise<SecurityStore | undefined> => {
  const authority = timestampCertificates.map((base64) => new X509Certificate(Buffer.from(base64, 'base64')))
  try {
    return await findRevocation([[certificate, ...chain], authority])
  } catch (problem) {
    if (!(problem instanceof CertificateRevoked)) throw problem
    const detail = `Documents can't be sealed: ${problem.message}.`
    throw new AppError('seal_key_unusable', { detail, cause: problem })
  }
}

const differences: Record<Difference, string> = {
  missing: 'is missing from the sealed file',
  content: "doesn't show what was signed",
  outside: 'shows something outside of its fields',
}

const maxPath = 200

/** What signers were shown is sealed, or nothing is. */
const requireSame = (comparison: Comparison): SealedFile['comparison'] => {
  if ('pages' in comparison) return comparison
  const problem =
    'why' in comparison
      ? `Page ${comparison.page} ${differences[comparison.why]}`
      : `The file holds something that may not be sealed (${comparison.forbidden.slice(0, maxPath)})`
  throw new AppError('seal_failed', { detail: `${problem}, so the document was not sealed.` })
}

/** Read as a stranger would, the file must have one intact signature over the whole of it, by our key. */
const requireOurs = ({ signatures }: ReportedSignatures, key: SealKey): SignatureReport => {
  const [report] = signatures
  const isRight =
    report?.isIntact === true &&
    signatures.length === 1 &&
    report.coversWholeFile &&
    report.certificate?.fingerprint === fingerprintOf(key.certificate)
  if (!isRight) throw unverified()
  return report
}

const unverified = () => new AppError('seal_failed', { cause: new Error('The sealed file does not verify.') })
