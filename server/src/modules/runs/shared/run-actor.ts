/**
 * The actor with which a run calls models and tools (`acting-identity.ts`), checked at each call. Once the member that a
 * triggered run names is gone, the run acts for the owner to its end.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { asPrincipal, findUserByIdUnscoped, type UserRow } from '#modules/accounts/index.ts'
import { findOrganizationUnscoped, type OrganizationRow } from '#modules/organizations/index.ts'
import { NodeFailure } from '../core/backoff.ts'
import { leaveToOwnerUnscoped } from '../queries/runs.ts'
import { type Acting, type ActingRun, actingFor } from './acting-identity.ts'
import type { RunHead } from './node-interface.ts'

type Run = ActingRun & Pick<RunHead, 'id' | 'allowedRoutes'>

const gone = () => new NodeFailure('The user this run acts for is not active in its organization.', { canRetry: false })

/** Throws when the person or the organization behind the run is not active. */
export const getRunActor = async (db: Db, run: Run): Promise<Actor> => {
  const acting = await findActing(db, run)
  if (!acting) throw gone()
  if (run.userId !== null && !('person' in acting && acting.person.id === run.userId)) {
    await leaveToOwnerUnscoped(db, run.id)
    run.userId = null
  }
  const identity = 'person' in acting ? asPrincipal(acting.person) : asMember(acting.organization)
  return { ...identity, credential: { kind: 'session', id: run.id, expiresAt: null, allowedRoutes: run.allowedRoutes } }
}

const findActing = async (db: Db, run: ActingRun): Promise<Acting<UserRow, OrganizationRow> | undefined> => {
  const { userId, scopeId } = run
  const member = userId === null ? undefined : await findUserByIdUnscoped(db, userId)
  const organization = member?.id === scopeId ? undefined : await findOrganizationUnscoped(db, scopeId)
  const owner = organization ? undefined : member?.id === scopeId ? member : await findUserByIdUnscoped(db, scopeId)
  return actingFor(run, { member, organization, owner })
}

/** An organization has what is open to all its members, and nothing that was granted to one of them. */
const asMember = ({ id, name, createdAt }: OrganizationRow): Omit<Actor, 'credential'> => ({
  kind: 'user',
  id,
  name,
  email: '',
  role: 'ROLE_USER',
  organizationId: id,
  status: 'ACTIVE',
  loginOtp: false,
  createdAt,
})
