/** A person of the caller's own organization. Anybody else's looks like one that never was. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'

interface Deps extends Pick<OrganizationsContext, 'accounts'> {
  /** May be a transaction. */
  db: Db
}

export const getMember = async ({ accounts, db }: Deps, actor: OrgActor, userId: string): Promise<UserRow> => {
  const user = await accounts.users.findByIdUnscoped(db, userId)
  if (user?.organizationId !== actor.organizationId) throw new AppError('member_not_found')
  return user
}

/** Each id once; all of them must be members. */
export const getMemberIds = async (
  { accounts, db }: Deps,
  { organizationId }: Pick<OrgActor, 'organizationId'>,
  userIds: readonly string[],
): Promise<string[]> => {
  const wanted = [...new Set(userIds.map((id) => id.toLowerCase()))]
  if (wanted.length === 0) return []
  const found = await accounts.users.listMembersAmongUnscoped(db, organizationId, wanted)
  if (found.length < wanted.length) throw new AppError('member_not_found')
  return wanted
}
