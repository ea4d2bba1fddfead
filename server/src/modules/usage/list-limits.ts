/** The limits that the caller administers: an organization's for its administrators, all for platform admins. */
import type { PageQuery } from '@chancery/contract/lists.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UsageContext } from './context.ts'
import { maySee, requireLimiter } from './policy.ts'
import { listLimitsUnscoped } from './queries/limits.ts'
import type { SavedLimit } from './save-limit.ts'
import { findSubjects } from './subjects.ts'

export const listLimits = async (
  { db }: Pick<UsageContext, 'db'>,
  actor: Actor,
  { page, limit, search = '' }: PageQuery,
): Promise<{ items: SavedLimit[]; total: number }> => {
  requireLimiter(actor)
  const rows = await listLimitsUnscoped(db)
  const findSubject = await findSubjects(db, rows)
  const sought = search.toLowerCase()
  const visible = rows
    .map((row) => ({ limit: row, subject: findSubject(row) }))
    .filter(({ subject }) => maySee(actor, subject) && (subject?.name ?? '').toLowerCase().includes(sought))
  return { items: visible.slice((page - 1) * limit, page * limit), total: visible.length }
}
