/** The limits of the plan: documents sent in a calendar month (UTC), and bytes, which files and documents share. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext } from '../context.ts'
import { countSentUnscoped, type DocumentRow, lockQuotaUnscoped } from '../queries/documents.ts'
import type { PreparedUpload } from './prepare-files.ts'

type Needs = Pick<SigningContext, 'kernel' | 'organizations' | 'files'>
type Owner = Pick<Actor, 'kind' | 'id' | 'organizationId'>

export const ownerOf = ({ ownerId, organizationId }: DocumentRow): Owner => ({
  kind: 'user',
  id: ownerId,
  organizationId,
})

export const monthStart = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))

export const readQuota = async ({ kernel, organizations, files }: Needs, db: Db, actor: Actor) => {
  const now = kernel.clock.now()
  const [limits, sent, stored] = await Promise.all([
    organizations.findLimitsUnscoped(db, actor.organizationId),
    countSentUnscoped(db, scopeOf(actor), monthStart(now)),
    files.countStorageUnscoped(db, scopeOf(actor)),
  ])
  return {
    documents: { used: sent, limit: limits.documentsPerMonth, resetsAt: nextMonth(now).toISOString() },
    storage: { used: stored, limit: limits.storageBytes },
  }
}

/** Under a lock, in the transaction that sends: the last document of a month is sent once. */
export const requireDocumentQuota = async (
  { kernel, organizations }: Needs,
  tx: Db,
  { scopeId, organizationId }: { scopeId: string; organizationId: string | null },
): Promise<void> => {
  const { documentsPerMonth } = await organizations.findLimitsUnscoped(tx, organizationId)
  await lockQuotaUnscoped(tx, scopeId)
  const used = await countSentUnscoped(tx, scopeId, monthStart(kernel.clock.now()))
  if (used >= documentsPerMonth)
    throw new AppError('plan_limit_reached', {
      detail: `Your plan includes ${documentsPerMonth} documents a month, and all of them are used.`,
    })
}

/** Stored bytes count: the upload, and the file that is made of it. */
export const requireStorage = (
  { files: stored }: Pick<SigningContext, 'files'>,
  tx: Db,
  { owner, files }: { owner: Owner; files: readonly PreparedUpload[] },
): Promise<void> =>
  stored.requireStorage(
    tx,
    owner,
    files.reduce((total, { upload, prepared }) => total + upload.size + prepared.original.size, 0),
  )
