/**
 * Seals a document: claim, render and sign, then store and tell everybody in one transaction. A claim raises the
 * document's epoch, and only the newest claim can finish, so there is one seal however many nodes try. A crash before
 * the last commit leaves SEALING with a lease that ends with its process, and a staged blob that the sweep deletes.
 */
import type { StagedBlob } from '#kernel/blobs/index.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { ClaimedElsewhere } from '#kernel/jobs/jobs.ts'
import type { SealedFile } from '#modules/pdf/index.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { createLink } from '../links.ts'
import { mailCompleted, mailOwner } from '../mails/send-mails.ts'
import { refusalsOf } from '../notify.ts'
import {
  type DocumentRow,
  findDocumentUnscoped,
  lockDocumentUnscoped,
  updateDocumentUnscoped,
} from '../queries/documents.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { claimSealUnscoped } from '../queries/seal-claims.ts'
import { stageCopy, storeCopy } from './copy-for-run.ts'
import { requireUntouched } from './require-untouched.ts'
import { buildSealRequest } from './seal-request.ts'

/** Longer than a seal waits and takes; a sealer that is slower loses its claim to the next. */
const leaseMs = 10 * 60_000

/** Throws where another attempt may help. */
export const sealDocument = async (context: SigningContext, documentId: string): Promise<void> => {
  const { db, clock, failpoints, blobs } = context.kernel
  const claimed = await claimSealUnscoped(db, documentId, { now: clock.now(), leaseMs })
  if (!claimed) return requireNoneLeft(context, documentId)
  await failpoints.hit('seal: claimed')
  const sealed = await makeSeal(context, claimed)
  const copy = await stageCopy(context, { claimed, sealed })
  try {
    await failpoints.hit('seal: staged')
    await change(context, claimed, (tx) => finish(context, tx, { claimed, sealed, copy }))
  } finally {
    await blobs.discardUnclaimed([sealed.blobId, ...(copy ? [copy.key] : [])])
  }
  await failpoints.hit('seal: committed')
  context.bus.wake()
}

/** Finished or cancelled: nothing to do. Claimed by another: come back, they may die. */
const requireNoneLeft = async ({ kernel }: SigningContext, documentId: string): Promise<void> => {
  const document = await findDocumentUnscoped(kernel.db, documentId)
  if (document?.state === 'SEALING') throw new ClaimedElsewhere('Another worker is sealing this document.')
}

const change = ({ kernel, pages }: SigningContext, { id }: DocumentRow, work: (tx: Db) => Promise<void>) =>
  pages.change(id, () => kernel.db.transaction().execute(work))

const makeSeal = async (context: SigningContext, claimed: DocumentRow): Promise<SealedFile> => {
  try {
    await requireUntouched(context.kernel, claimed.id)
    return await context.pdfWork.seal(await buildSealRequest(context, context.kernel.db, claimed))
  } catch (problem) {
    await context.kernel.failpoints.hit('seal: failed')
    await change(context, claimed, (tx) => fail(context, tx, { claimed, problem }))
    throw problem
  }
}

const isMine = (document: DocumentRow | undefined, claimed: DocumentRow): document is DocumentRow =>
  document?.state === 'SEALING' && document.sealEpoch === claimed.sealEpoch

/**
 * The reason as the owner reads it. A program's own words about its failure are for the log. What a program says about
 * its own failure is for the log.
 */
const reasonOf = (problem: unknown): string =>
  problem instanceof AppError ? problem.message : 'The document could not be sealed. We try again by ourselves.'

const fail = async (
  context: SigningContext,
  tx: Db,
  { claimed, problem }: { claimed: DocumentRow; problem: unknown },
): Promise<void> => {
  if (!isMine(await lockDocumentUnscoped(tx, claimed.id), claimed)) return
  const sealError = reasonOf(problem)
  await updateDocumentUnscoped(tx, claimed.id, {
    state: 'SEAL_FAILED',
    sealError,
    sealLeaseUntil: null,
    updatedAt: context.kernel.clock.now(),
  })
  await record(context, tx, {
    documentId: claimed.id,
    entries: [{ type: 'seal_failed', by: { kind: 'system' }, detail: { reason: sealError } }],
  })
}

interface Sealed {
  claimed: DocumentRow
  sealed: SealedFile
  /** For the files module. */
  copy: StagedBlob | undefined
}

const finish = async (context: SigningContext, tx: Db, { claimed, sealed, copy }: Sealed): Promise<void> => {
  const { blobs, clock, failpoints } = context.kernel
  if (!isMine(await lockDocumentUnscoped(tx, claimed.id), claimed)) return
  await blobs.claim(tx, sealed.blobId)
  const now = clock.now()
  const document = await updateDocumentUnscoped(tx, claimed.id, {
    state: 'COMPLETED',
    sealedKey: sealed.blobId,
    sealedSha256: sealed.sha256,
    sealedBytes: sealed.bytes,
    sealedAt: sealed.signedAt,
    sealLevel: sealed.level,
    sealSigner: sealed.signer,
    sealedFileId: copy ? await storeCopy(context, tx, { claimed, copy }) : null,
    sealError: null,
    sealLeaseUntil: null,
    endedAt: now,
    updatedAt: now,
  })
  const { sha256, bytes, level, signer, comparison } = sealed
  const by = { kind: 'system' } as const
  await record(context, tx, {
    documentId: claimed.id,
    entries: [
      { type: 'sealed', by, detail: { sha256, bytes, level, signer, comparedPages: comparison.pages } },
      { type: 'completed', by },
    ],
  })
  await failpoints.hit('seal: stored')
  await announce(context, tx, { type: 'document_completed', document, more: { sha256 } })
  await mailEverybody(context, tx, document)
  await failpoints.hit('seal: mailed')
}

/**
 * Each address gets one mail with a link to the finished document: somebody may sign and get a copy, and the sender may
 * sign, too. Mail that fails later holds nothing up.
 */
const mailEverybody = async (context: SigningContext, tx: Db, document: DocumentRow): Promise<void> => {
  const recipients = await listRecipientsUnscoped(tx, document.id)
  const refusals = await refusalsOf(tx, document, recipients)
  const told = new Set<string>()
  for (const recipient of recipients) {
    const { id: recipientId, email, state } = recipient
    if (state === 'REPLACED' || refusals.has(email) || told.has(email)) continue
    told.add(email)
    const link = await createLink(context, tx, { recipientId })
    await mailCompleted(context, tx, { document, recipient, link })
  }
  if (!told.has(document.ownerEmail)) await mailOwner(context, tx, document, { type: 'completed' })
}
