/**
 * What has lost its cause ends: a run whose parent has ended, and one whose person or organization is gone, deactivated or
 * read-only. Asked whenever a run is claimed, and again and again of those under way.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { listUsersAmongUnscoped } from '#modules/accounts/index.ts'
import { isReadOnly, listStandingsUnscoped } from '#modules/organizations/index.ts'
import type { RunRow } from '../queries/claims.ts'
import { listOrphansUnscoped } from '../queries/endings.ts'
import { type ActingRun, actingFor } from '../shared/acting-identity.ts'
import { type EndingNeeds, endRuns } from './end-runs.ts'

export type CausedRun = Pick<RunRow, 'id' | 'scopeId' | 'userId' | 'triggerKind' | 'parentRunId'>

const orphaned = 'The run that started this one has ended.'
const closed = 'The person or the organization that this run acts for is not active any more, or is read-only.'

/** Ends those of these runs that have lost their cause. Returns the ids of these. */
export const endCauseless = async (needs: EndingNeeds, runs: readonly CausedRun[]): Promise<Set<string>> => {
  const { clock, db } = needs.kernel
  const orphans = await listOrphansUnscoped(
    db,
    runs.flatMap(({ id, parentRunId }) => (parentRunId === null ? [] : id)),
  )
  const abandoned = await listAbandoned({ clock }, db, runs)
  if (orphans.length > 0) await endRuns(needs, orphans, { status: 'cancelled', error: orphaned })
  if (abandoned.length > 0) await endRuns(needs, abandoned, { status: 'cancelled', error: closed })
  return new Set([...orphans, ...abandoned])
}

/** Those for whom nobody stands any more. */
const listAbandoned = async (
  { clock }: Pick<Kernel, 'clock'>,
  db: Db,
  runs: readonly CausedRun[],
): Promise<string[]> => {
  const ids = [...new Set(runs.flatMap(({ scopeId, userId }) => (userId === null ? [scopeId] : [scopeId, userId])))]
  const people = new Map((await listUsersAmongUnscoped(db, ids)).map((user) => [user.id, user]))
  const unknown = runs.flatMap(({ scopeId }) => (people.has(scopeId) ? [] : scopeId))
  const standings = await listStandingsUnscoped(db, [...new Set(unknown)])
  const organizations = new Map(standings.map((standing) => [standing.id, standing]))
  const now = clock.now()
  const hasCause = ({ userId, scopeId, triggerKind }: ActingRun): boolean => {
    const organization = organizations.get(scopeId)
    if (organization && (!organization.active || isReadOnly(organization, now))) return false
    const member = userId === null ? undefined : people.get(userId)
    return (
      actingFor({ userId, scopeId, triggerKind }, { member, organization, owner: people.get(scopeId) }) !== undefined
    )
  }
  return runs.filter((run) => !hasCause(run)).map(({ id }) => id)
}
