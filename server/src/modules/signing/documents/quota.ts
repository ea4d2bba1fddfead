/** What the plan allows: documents sent in a calendar month (UTC), and bytes. People without an organization have no limit. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext } from '../context.ts'
import { countSentUnscoped, lockQuotaUnscoped, sumBytesUnscoped } from '../queries/documents.ts'

type Needs = Pick<SigningContext, 'kernel' | 'organizations'>

export const monthStart = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))

const organizationOf = async ({ organizations }: Needs, db: Db, organizationId: string | null) =>
  organizationId === null ? undefined : organizations.findUnscoped(db, organizationId)

export const readQuota = async (context: Needs, db: Db, actor: Actor) => {
  const now = context.kernel.clock.now()
  const [used, organization] = await Promise.all([
    countSentUnscoped(db, scopeOf(actor), monthStart(now)),
    organizationOf(context, db, actor.organizationId),
  ])
  return { used, limit: organization?.maxDocumentsPerMonth ?? null, resetsAt: nextMonth(now) }
}

/** Under a lock, in the transaction that sends: the last document of a month is sent once. */
export const requireDocumentQuota = async (
  context: Needs,
  tx: Db,
  { scopeId, organizationId }: { scopeId: string; organizationId: string | null },
): Promise<void> => {
  const organization = await organizationOf(context, tx, organizationId)
  if (!organization) return
  await lockQuotaUnscoped(tx, scopeId)
  const used = await countSentUnscoped(tx, scopeId, monthStart(context.kernel.clock.now()))
  if (used >= organization.maxDocumentsPerMonth)
    throw new AppError('plan_limit_reached', {
      detail: `Your plan includes ${organization.maxDocumentsPerMonth} documents a month, and all of them are used.`,
    })
}

/** What is stored counts: the PDF that was made of a picture or an office file may be far larger than that. */
export const requireStorage = async (
  context: Needs,
  actor: Actor,
  files: readonly { file: { size: number } }[],
): Promise<void> => {
  const { db } = context.kernel
  const organization = await organizationOf(context, db, actor.organizationId)
  if (!organization) return
  const added = files.reduce((total, { file }) => total + file.size, 0)
  if ((await sumBytesUnscoped(db, scopeOf(actor))) + added > organization.maxStorageBytes)
    throw new AppError('plan_limit_reached', { detail: 'Your organization has used up its storage.' })
}
