/**
 * On whose behalf a run calls models and tools. A run that somebody started by hand acts for that person and stops when
 * they are deactivated. A triggered run acts for the member its workflow names, and otherwise for the workflow's owner,
 * so that nobody's leaving stops it. Checked at each call.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { asPrincipal, findUserByIdUnscoped } from '#modules/accounts/index.ts'
import { findOrganizationUnscoped } from '#modules/organizations/index.ts'
import { NodeFailure } from './core/backoff.ts'
import type { RunHead } from './node-face.ts'

type ActingRun = Pick<RunHead, 'id' | 'userId' | 'scopeId' | 'triggerKind'>
type Identity = Omit<Actor, 'credential'>

const gone = () => new NodeFailure('The user this run acts for is not active in its organization.', { canRetry: false })

/** Throws when the person or the organization behind the run is not active. */
export const getRunActor = async (db: Db, run: ActingRun): Promise<Actor> => {
  const identity =
    (run.userId === null ? undefined : await findMember(db, run.userId, run.scopeId)) ??
    (run.triggerKind === 'manual' ? undefined : await findOwner(db, run.scopeId))
  if (!identity) throw gone()
  return { ...identity, credential: { kind: 'session', id: run.id, expiresAt: null, allowedRoutes: null } }
}

const findMember = async (db: Db, userId: string, scopeId: string): Promise<Identity | undefined> => {
  const user = await findUserByIdUnscoped(db, userId)
  if (user?.status !== 'ACTIVE' || (user.organizationId ?? user.id) !== scopeId) return undefined
  const { organizationId } = user
  if (organizationId !== null && !(await findOrganizationUnscoped(db, organizationId))?.active) return undefined
  return asPrincipal(user)
}

/** An organization has what is open to all its members, and nothing that was granted to one of them. */
const findOwner = async (db: Db, scopeId: string): Promise<Identity | undefined> => {
  const organization = await findOrganizationUnscoped(db, scopeId)
  if (!organization) return findMember(db, scopeId, scopeId)
  if (!organization.active) return undefined
  const { id, name, createdAt } = organization
  return {
    kind: 'user',
    id,
    name,
    email: '',
    role: 'ROLE_USER',
    organizationId: id,
    status: 'ACTIVE',
    loginOtp: false,
    createdAt,
  }
}
