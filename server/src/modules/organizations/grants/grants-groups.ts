/**
 * The caller's groups, remembered for a few seconds: every use of a thing that is granted asks for them. A change to a
 * group makes every node forget its organization's people; the short life bounds what a lost signal could cost (P7: 5 s).
 */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Signals } from '#kernel/db/signals.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { listGroupIds } from '../queries/grants.ts'

/** At once where it is known. In a transaction, read over its connection: waiting for a second one could take forever. */
export type GroupsOf = (
  actor: Pick<Actor, 'kind' | 'id' | 'organizationId'>,
  over?: Db,
) => ReadonlySet<string> | Promise<ReadonlySet<string>>

export const groupsTopic = 'groups'

const lifeMs = 4000
const capacity = 20_000
const none: ReadonlySet<string> = new Set()

interface Entry {
  organizationId: string
  groups: ReadonlySet<string>
  until: number
}

export const createGroupsOf = ({ db, clock, signals }: { db: Db; clock: Clock; signals: Signals }): GroupsOf => {
  const entries = new Map<string, Entry>()
  let changes = 0

  signals.on(groupsTopic, (organizationId) => {
    changes += 1
    if (organizationId === undefined) entries.clear()
    else for (const [id, entry] of entries) if (entry.organizationId === organizationId) entries.delete(id)
  })

  const dropOldest = (): void => {
    const oldest = entries.keys().next()
    if (!oldest.done) entries.delete(oldest.value)
  }

  const read = async (
    over: Db,
    actor: Pick<Actor, 'id' | 'organizationId'>,
    organizationId: string,
  ): Promise<ReadonlySet<string>> => {
    const before = changes
    const groups = new Set(await listGroupIds(over, actor))
    // Groups read before a change must not be kept after it.
    if (before !== changes) return groups
    entries.delete(actor.id)
    if (entries.size >= capacity) dropOldest()
    entries.set(actor.id, { organizationId, groups, until: clock.now().getTime() + lifeMs })
    return groups
  }

  return (actor, over = db) => {
    const { organizationId } = actor
    if (actor.kind === 'admin' || organizationId === null) return none
    const entry = entries.get(actor.id)
    const isKnown = entry?.organizationId === organizationId && clock.now().getTime() < entry.until
    return isKnown ? entry.groups : read(over, actor, organizationId)
  }
}
