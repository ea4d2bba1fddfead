/** Which of these people belong to the actor's scope: members of the organization, or only the actor. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { listMembersAmongUnscoped } from '#modules/accounts/index.ts'

export const findPeople = async (db: Db, actor: Actor, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  if (actor.organizationId === null) return ids.filter((id) => id === actor.id)
  return (await listMembersAmongUnscoped(db, actor.organizationId, ids)).map(({ id }) => id)
}
