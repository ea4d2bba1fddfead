/** The user on whose behalf a run calls models and tools. Checked at each call, so a deactivated user's runs stop. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { asPrincipal, findUserByIdUnscoped } from '#modules/accounts/index.ts'
import { findOrganizationUnscoped } from '#modules/organizations/index.ts'
import { NodeFailure } from './core/backoff.ts'
import type { RunHead } from './node-face.ts'

const gone = () => new NodeFailure('The user this run acts for is not active in its organization.', { canRetry: false })

/** Throws when the user is not active or has left the scope that the run belongs to. */
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
