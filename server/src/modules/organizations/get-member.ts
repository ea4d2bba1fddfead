/** A person of the caller's own organization. Anybody else's looks like one that never was. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { findUserByIdUnscoped, listMembersAmongUnscoped, type UserRow } from '#modules/accounts/index.ts'

export const getMember = async (db: Db, actor: OrgActor, userId: string): Promise<UserRow> => {
  const user = await findUserByIdUnscoped(db, userId)
  if (user?.organizationId !== actor.organizationId) throw new AppError('member_not_found')
  return user
}

/** Each id once; all of them must be members. */
export const getMemberIds = async (db: Db, actor: OrgActor, userIds: readonly string[]): Promise<string[]> => {
  const wanted = [...new Set(userIds.map((id) => id.toLowerCase()))]
  if (wanted.length === 0) return []
  const found = await listMembersAmongUnscoped(db, actor.organizationId, wanted)
  if (found.length < wanted.length) throw new AppError('member_not_found')
  return wanted
}
