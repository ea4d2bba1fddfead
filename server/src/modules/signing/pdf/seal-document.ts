/**
 * Seals a finished document: composed from the original bytes in the child, signed here, checked by the same code that
 * checks strangers' files, and staged. A failure leaves nothing behind.
 */
import { createHash, X509Certificate } from 'node:crypto'
import type { Blobs, StagedBlob } from '#kernel/blobs/index.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { PlacedField, SealedFile, SealRequest } from '../ports.ts'
import { buildCms, type Timestamp } from '../seal/build-cms.ts'
import { CertificateRevoked, type FindRevocation } from '../seal/find-revocation.ts'
import { insertSealUnscoped } from '../seal/queries.ts'
import type { SealKey } from '../seal/seal-key.ts'
import { fingerprintOf, oneLine, type SealKeys } from '../seal/seal-keys.ts'
import type { ReportedSignatures, SignatureReport } from '../verify/read-signatures.ts'
import type { CertificateText, SealFacts } from './certificate-page.ts'
import type { DrawnField, Shown } from './draw-fields.ts'
import type { PdfChild } from './pdf-child.ts'
import type { SecurityStore } from './security-store.ts'
import { createUnsigned, type SignedFile } from './unsigned-file.ts'

export interface SealNeeds {
  child: PdfChild
  keys: SealKeys
  blobs: Blobs
  clock: Clock
  db: Db
  /** Where anybody can check a sealed file. */
  verifyUrl: string
  timestamp: Timestamp | undefined
  findRevocation: FindRevocation
  log: Log
}

export const sealDocument = async (needs: SealNeeds, request: SealRequest): Promise<SealedFile> => {
  const { child, keys, timestamp } = needs
  const key = await keys.current(request.organizationId)
  const sealedAt = new Date(Math.floor(needs.clock.now().getTime() / 1000) * 1000)
  const tenant = request.organizationId ?? request.documentId
  const images = new ImageTable()
  const unsigned = createUnsigned()
  await child.compose(
    {
      request: {
        documentId: request.documentId,
        title: request.title,
        files: request.files.map(({ fields }) => ({ fields: fields.map((field) => drawn(field, images)) })),
        certificate: JSON.parse(JSON.stringify(request.evidence)) as CertificateText,
        seal: sealFacts(key, { sealedAt, verifyUrl: needs.verifyUrl, hasTimestamp: timestamp !== undefined }),
        signatureBytes: signatureBytes(key, timestamp !== undefined),
      },
      files: request.files.map(({ blobId }) => blobId),
      images: images.list,
    },
    unsigned,
    tenant,
  )
  const cms = await buildCms(key, unsigned.digest(), timestamp)
  const file = unsigned.sign(cms)
  const signatureSha256 = createHash('sha256').update(cms).digest('hex')
  const record = () =>
    insertSealUnscoped(needs.db, { signatureSha256, documentId: request.documentId, createdAt: sealedAt })
  const signed = { file, key, tenant, record }
  const { report, blob, level } = await (timestamp ? extendAndStage(needs, signed) : checkAndStage(needs, signed))
  return {
    blobId: blob.key,
    sha256: blob.sha256,
    bytes: blob.size,
    signedAt: report.timestampedAt === null ? sealedAt : new Date(report.timestampedAt),
    signer: oneLine(key.certificate.subject),
    level,
  }
}

interface Signed {
  file: SignedFile
  key: SealKey
  tenant: string
  /** Records the signature as ours. A record of a file that nobody gets is harmless. */
  record(): Promise<unknown>
}

interface Staged {
  report: SignatureReport
  blob: StagedBlob
  level: SealedFile['level']
}

const stage = ({ blobs }: SealNeeds, bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob> =>
  blobs.stage(bytes, { area: 'signing', contentType: 'application/pdf' })

/** All at once, since the check runs in another process. A file that fails it, or isn't recorded, is discarded. */
const checkAndStage = async (needs: SealNeeds, { file, key, tenant, record }: Signed): Promise<Staged> => {
  const checking = needs.child.verify(file.read(), tenant).then((found) => requireOurs(found, key))
  const [checked, staged, recorded] = await Promise.allSettled([checking, stage(needs, file.read()), record()])
  if (checked.status === 'fulfilled' && staged.status === 'fulfilled' && recorded.status === 'fulfilled')
    return { report: checked.value, blob: staged.value, level: 'B-B' }
  if (staged.status === 'fulfilled') await needs.blobs.discardUnclaimed([staged.value.key])
  throw [checked, staged, recorded].find((result) => result.status === 'rejected')?.reason
}

/** With a time-stamp, proof that no certificate was revoked follows the signature where it can be had. */
const extendAndStage = async (needs: SealNeeds, signed: Signed): Promise<Staged> => {
  const { file, key, tenant, record } = signed
  const report = requireOurs(await needs.child.verify(file.read(), tenant), key)
  if (report.timestampedAt === null)
    throw new AppError('seal_timestamp_failed', {
      detail: "The time-stamp authority's answer isn't signed as it should be.",
    })
  const store = await findStore(needs, key, report)
  const tail = store && (await makeTail(needs, signed, store))
  await record()
  return { report, blob: await stage(needs, file.read(tail)), level: tail ? 'B-LT' : 'B-T' }
}

/** Undefined where the child's limits are too small for a longer file: the seal is complete without it. */
const makeTail = async (
  { child, log }: SealNeeds,
  { file, key, tenant }: Signed,
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

/** What a stranger would find must be one intact signature over the whole file, by our key. */
const requireOurs = ({ signatures }: ReportedSignatures, key: SealKey): SignatureReport => {
  const [report] = signatures
  const isRight =
    report?.isIntact === true &&
    signatures.length === 1 &&
    report.coversWholeFile &&
    report.certificate?.fingerprint === fingerprintOf(key.certificate)
  if (!isRight) throw new AppError('seal_failed', { cause: new Error('The sealed file does not verify.') })
  return report
}

const sealFacts = (
  { certificate, isSelfMade }: SealKey,
  { sealedAt, ...rest }: { sealedAt: Date; verifyUrl: string; hasTimestamp: boolean },
): SealFacts => ({
  signer: oneLine(certificate.subject),
  issuer: oneLine(certificate.issuer),
  fingerprint: fingerprintOf(certificate),
  isSelfMade,
  sealedAt: sealedAt.toISOString(),
  ...rest,
})

/** A time-stamp brings its authority's certificates along. */
const signatureBytes = ({ certificate, chain }: SealKey, hasTimestamp: boolean): number =>
  [certificate, ...chain].reduce((sum, { raw }) => sum + raw.length, 2_048) + (hasTimestamp ? 16_384 : 0)

/** A signature that was adopted for many fields is sent and stored once. */
class ImageTable {
  readonly list: Buffer[] = []
  readonly #known = new Map<string, number>()

  add(base64: string): number {
    const index = this.#known.get(base64) ?? this.list.push(Buffer.from(base64, 'base64')) - 1
    this.#known.set(base64, index)
    return index
  }
}

const drawn = (field: PlacedField, images: ImageTable): DrawnField => {
  const { page, x, y, width, height, signerName, type } = field
  const kind = type === 'SIGNATURE' || type === 'INITIALS' ? 'mark' : 'text'
  return { page, x, y, width, height, signerName, kind, shown: shownIn(field, images) }
}

const shownIn = ({ value }: PlacedField, images: ImageTable): Shown => {
  if (typeof value === 'boolean') return { isChecked: value }
  if (typeof value === 'string') return { text: value }
  return 'png' in value ? { image: images.add(value.png) } : { text: value.typed }
}
