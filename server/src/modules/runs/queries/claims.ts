/** Which node holds which run: claiming in turns by tenant, and renewing leases. All of it is unscoped. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { databaseNow, leaseEnd } from '#kernel/db/leases.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { RunsTable } from './tables.ts'

export type RunRow = Selectable<RunsTable>

/** A node holds a run for this long without renewing. The insert in `runs.ts` says the same. */
const leaseMs = 30_000

/** Runs of other nodes' lanes are left to these for so long. */
const leftForMs = 1000
const leftUntil = (now: Date): Date => new Date(now.getTime() - leftForMs)

/**
 * Some run of these lanes is due, or another one that is left alone. Reads the first rows of an index, no further than to
 * those of the last second: an `exists` may be answered by a table scan.
 */
export const canClaimUnscoped = (now: Date, lanes: readonly number[]) => sql<boolean>`
  (select true from runs where status in ('queued', 'waiting') and wake_at <= ${now}
    and (wake_at <= ${leftUntil(now)} or dispatch_lane(scope_id) = any(${lanes}::smallint[])) order by wake_at limit 1)`

/** Some run has exceeded its deadline. */
export const anyOverdueUnscoped = (now: Date) => sql<boolean>`
  (select true from runs where status in ('queued', 'running', 'waiting') and waiting_since is null
    and deadline_at <= ${now} order by deadline_at limit 1)`

/** What this node may claim. */
export interface ClaimLimits {
  limit: number
  /** By scope: the slots that it has here. */
  slots: ReadonlyMap<string, number>
  /** The most slots of one scope, while others wait and while it is alone. */
  shared: number
  alone: number
  /** How many of those that were claimed twice in vain. */
  suspects: number
  /** Whose runs this node claims first. */
  lanes: readonly number[]
  /** Others too: it was woken for them. Without it only those that their nodes leave alone. */
  helps: boolean
}

interface Claim extends ClaimLimits {
  nodeId: string
  now: Date
  /** The scope after which the round goes on. */
  after: string
}

export interface Claimed {
  runs: RunRow[]
  /** Those it wanted: another node may have been faster. */
  chosen: number
  /** Some scope was passed over, because it has its share. */
  isContended: boolean
  /** Some run has lost its holder. */
  hasLost: boolean
  /** Where the round goes on. */
  after: string
}

/** The oldest due runs are looked at; only where there are more, one scope after the other. */
const window = 400
/** The scopes of one statement, and the runs of each. */
const scopesAtOnce = 200
const runsOfScope = 20
export const roundStart = '00000000-0000-0000-0000-000000000000'

/**
 * Claims runs that are due, each under a new epoch and counted before it begins. A scope's next run has the number of the
 * slot it would be: the lowest numbers are first, and of these the oldest. So the tenant with the least is next,
 * whatever another scope has waiting, and the cost doesn't grow with that: the oldest runs, and the first ones of the
 * next scopes. Runs of the node's own lanes come first, so that nodes don't reach for the same ones, and with them whatever
 * has been due for a second.
 */
export const claimRunsUnscoped = async (db: Db, claim: Claim): Promise<Claimed> => {
  const { nodeId, now, after, limit, shared, alone, suspects, lanes, helps } = claim
  const left = leftUntil(now)
  const slots = JSON.stringify([...claim.slots].map(([scope, count]) => ({ scope, count })))
  const { rows } = await prepared<Omit<Claimed, 'runs'> & RunRow>`
    with recursive aged as materialized (
      select id, scope_id, wake_at, claims from runs where status in ('queued', 'waiting') and wake_at <= ${now}
        and (${helps} or wake_at <= ${left} or dispatch_lane(scope_id) = any(${lanes}::smallint[]))
      order by wake_at limit ${window}
    ), turns (scope_id, n) as (
      (select scope_id, 1 from runs where status in ('queued', 'waiting') and wake_at is not null and scope_id > ${after}
        and (select count(*) from aged) = ${window} order by scope_id limit 1)
      union all
      select next.scope_id, turns.n + 1 from turns cross join lateral (
        select r.scope_id from runs r where r.status in ('queued', 'waiting') and r.wake_at is not null
          and r.scope_id > turns.scope_id order by r.scope_id limit 1) next
      where turns.n < ${scopesAtOnce}
    ), found as (
      select * from aged
      union
      select first.* from turns cross join lateral (
        select r.id, r.scope_id, r.wake_at, r.claims from runs r
        where r.scope_id = turns.scope_id and r.status in ('queued', 'waiting') and r.wake_at <= ${now}
          and (${helps} or r.wake_at <= ${left} or dispatch_lane(r.scope_id) = any(${lanes}::smallint[]))
        order by r.wake_at limit ${runsOfScope}) first
    ), ranked as (
      select f.id, f.wake_at, f.wake_at <= ${left} or dispatch_lane(f.scope_id) = any(${lanes}::smallint[]) as is_own,
        f.claims >= 2 as is_suspect, row_number() over (partition by f.claims >= 2 order by f.wake_at) as nth,
        coalesce(h.count, 0) + row_number() over (partition by f.scope_id order by f.wake_at, f.id) as slot
      from found f left join json_to_recordset(${slots}::json) as h (scope uuid, count integer) on h.scope = f.scope_id
    ), share as (
      select case when count(distinct scope_id) > 1 then ${shared}::bigint else ${alone}::bigint end as most from found
    ), chosen as (
      select id from ranked where slot <= (select most from share) and (not is_suspect or nth <= ${suspects})
      order by is_own desc, slot, wake_at limit ${limit}
    ), locked as (
      select id from runs where id in (select id from chosen) and status in ('queued', 'waiting') and wake_at <= ${now}
      order by id for update skip locked
    ), taken as (
      update runs set status = 'running', epoch = epoch + 1, claims = claims + 1, lease_node = ${nodeId},
        lease_until = statement_timestamp() + ${leaseMs}::integer * interval '1 millisecond', wake_at = null,
        started_at = coalesce(started_at, ${now}), waiting_since = null,
        deadline_at = deadline_at + waited(waiting_since, ${now}),
        waited_ms = waited_ms + extract(epoch from waited(waiting_since, ${now})) * 1000
      where id in (select id from locked) returning *
    )
    select (select count(*) from chosen)::integer as chosen,
      exists (select from ranked where slot > (select most from share)) as is_contended,
      coalesce((select true from runs where status = 'running' and lease_until < statement_timestamp()
        order by lease_until limit 1), false) as has_lost,
      coalesce((select scope_id from turns where n = ${scopesAtOnce}), ${roundStart}) as after, taken.*
    from (values (1)) as always left join taken on true`.execute(db)
  const [first] = rows
  const { chosen = 0, isContended = false, hasLost = false, after: next = roundStart } = first ?? {}
  return { runs: rows.filter(({ id }) => id !== null), chosen, isContended, hasLost, after: next }
}

/** Returns the runs that this node still holds. */
export const renewLeasesUnscoped = async (
  db: Db,
  { nodeId, ids }: { nodeId: string; ids: readonly string[] },
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    update runs set lease_until = ${leaseEnd(leaseMs)}
    where id = any(${ids}::uuid[]) and lease_node = ${nodeId} and status = 'running' returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Something arrived for these runs: parked ones become due, and held ones can't be parked without seeing it. */
export const nudgeRunsUnscoped = async (tx: Db, ids: readonly string[], now: Date): Promise<void> => {
  if (ids.length === 0) return
  await sql`
    update runs set nudges = nudges + 1, wake_at = case when status = 'waiting' and held_at is null
      then least(${now}::timestamptz, ${databaseNow}) else wake_at end
    where id = any(${ids}::uuid[]) and status in ('queued', 'running', 'waiting')`.execute(tx)
}
