/** For whom runs act or acted, with names, for the API. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import { terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import type { Db } from '#kernel/db/database.ts'
import { listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { listOrganizationsAmongUnscoped } from '#modules/organizations/index.ts'
import type { RunHeadRow } from '../queries/runs.ts'
import { type ActingRun, actingFor } from '../shared/acting-identity.ts'

type ActsFor = RunItem['acts_for']
type Shown = ActingRun & Pick<RunHeadRow, 'status'>

export const describeActing = async (db: Db, runs: readonly Shown[]): Promise<(run: Shown) => ActsFor> => {
  const scopeIds = [...new Set(runs.map(({ scopeId }) => scopeId))]
  const userIds = runs.flatMap(({ userId }) => userId ?? [])
  const [users, organizations] = await Promise.all([
    listUsersAmongUnscoped(db, [...new Set([...userIds, ...scopeIds])]),
    listOrganizationsAmongUnscoped(db, scopeIds),
  ])
  const people = new Map(users.map((user) => [user.id, user]))
  const owners = new Map(organizations.map((organization) => [organization.id, organization]))
  return (run) => {
    const { userId, scopeId, status } = run
    const member = userId === null ? undefined : people.get(userId)
    const [organization, owner] = [owners.get(scopeId), people.get(scopeId)]
    // The account that an ended run acted for doesn't change it any more: it was left by then if it wasn't active.
    if (terminalRunStatuses.includes(status))
      return userId === null ? (asOrganization(organization) ?? asPerson(owner)) : (asPerson(member) ?? deleted(userId))
    const acting = actingFor(run, { member, organization, owner })
    if (!acting) return null
    return 'person' in acting ? asPerson(acting.person) : asOrganization(acting.organization)
  }
}

interface Named {
  id: string
  name: string
}

const asPerson = (found: Named | undefined): ActsFor =>
  found ? { kind: 'person', id: found.id, name: found.name } : null
const asOrganization = (found: Named | undefined): ActsFor =>
  found ? { kind: 'organization', id: found.id, name: found.name } : null
const deleted = (id: string): ActsFor => ({ kind: 'person', id, name: null })
