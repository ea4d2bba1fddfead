/** On whose behalf a run calls models and tools. Asked at each call: who is deactivated works for nobody any more. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { asPrincipal, findUserByIdUnscoped } from '#modules/accounts/index.ts'
import { findOrganizationUnscoped } from '#modules/organizations/index.ts'
import { NodeFailure } from './backoff.ts'
import type { RunHead } from './node-face.ts'

const gone = () => new NodeFailure('The person this run works for is not active here any more.', { canRetry: false })

/** Throws where the person has left the scope that the run belongs to. */
export const getRunActor = async (
  db: Db,
  { id, userId, scopeId }: Pick<RunHead, 'id' | 'userId' | 'scopeId'>,
): Promise<Actor> => {
  const user = userId === null ? undefined : await findUserByIdUnscoped(db, userId)
  if (user?.status !== 'ACTIVE' || (user.organizationId ?? user.id) !== scopeId) throw gone()
  const organization =
    user.organizationId === null ? undefined : await findOrganizationUnscoped(db, user.organizationId)
  if (user.organizationId !== null && !organization?.active) throw gone()
  return { ...asPrincipal(user), credential: { kind: 'session', id, expiresAt: null, allowedRoutes: null } }
}
