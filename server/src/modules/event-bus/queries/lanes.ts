/** All SQL for `dispatch_lanes`: who dispatches which lane, and which have something to dispatch. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'

/** A node may be silent for this long in the middle of a dispatch. */
const usualLeaseMs = 15_000
/** As a dispatch's transaction is called among the sessions of the database, followed by its node. */
const dispatchName = 'chancery dispatch'

export interface Claim {
  lanes: readonly number[]
  /** Who claims. Without it others only end the claim when it is overdue. */
  node?: string
  /** The half for tenants that are over their share. */
  isPostponed?: boolean
  leaseMs?: number
}

/**
 * Claims the right to dispatch these lanes until the transaction ends, and returns those that no other node has. The claim
 * is a row lock, and PostgreSQL ends the session of a node that sends nothing for `leaseMs` in the middle of its dispatch,
 * by its own clock: a frozen node loses its claim and cannot commit any more.
 */
export const claimLanesUnscoped = async (
  tx: Db,
  { lanes, node = '', isPostponed = false, leaseMs = usualLeaseMs }: Claim,
): Promise<number[]> => {
  const name = `${dispatchName} ${node}`.trimEnd()
  const { rows } = await prepared<{ lane: number }>`
    select lane, set_config('idle_in_transaction_session_timeout', ${String(leaseMs)}, true),
      set_config('application_name', ${name}, true)
    from (
      select lane from dispatch_lanes where lane = any(${lanes}::smallint[]) and is_postponed = ${isPostponed}
      order by lane for update skip locked
    ) as claimed`.execute(tx)
  return rows.map(({ lane }) => lane)
}

interface Lost {
  /** Nodes that are alive. */
  workers: readonly string[]
  /** For how long a dispatch of a node that is not among them may be silent: the node may only be busy. */
  silentMs: number
  /** For any. */
  maxMs: number
}

/**
 * Ends dispatches that keep their lanes from others: of nodes that are gone and silent, long before their lease ends, and
 * those that take longer than they may: a node that froze while PostgreSQL was sending it rows is not idle, so its lease
 * alone does not end it. By the database's clock.
 */
export const endLostDispatchesUnscoped = async (db: Db, { workers, silentMs, maxMs }: Lost): Promise<void> => {
  const alive = workers.map((id) => `${dispatchName} ${id}`)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like ${`${dispatchName}%`}
      and (xact_start < clock_timestamp() - ${maxMs} * interval '1 millisecond'
        or application_name like ${`${dispatchName} %`} and application_name <> all(${alive})
          and state like 'idle in transaction%'
          and state_change < clock_timestamp() - ${silentMs} * interval '1 millisecond')`.execute(db)
}

/** Shows PostgreSQL that a dispatch is still alive while filters are evaluated. */
export const renewLeaseUnscoped = async (tx: Db): Promise<void> => {
  await prepared`select`.execute(tx)
}

/** True when anything is due in any lane. */
export const anyDueUnscoped = (now: Date) => sql<boolean>`
  exists (select from event_batches) or exists (select from event_dispatches where due_at <= ${now})
  or exists (select from postponed_events where due_at <= ${now})`

/** The first position in each queue of a lane; null where nothing is due. */
export interface DueLane {
  lane: number
  batch: number | null
  single: number | null
  postponed: number | null
}

/** One look into the index for each lane. */
export const listDueLanesUnscoped = async (db: Db, now: Date): Promise<DueLane[]> => {
  const { rows } = await prepared<DueLane>`
    select * from (
      select lane,
        (select seq from event_batches b where b.lane = l.lane order by seq limit 1) as batch,
        (select seq from event_dispatches d where d.lane = l.lane and due_at <= ${now} limit 1) as single,
        (select seq from postponed_events p where p.lane = l.lane and due_at <= ${now} limit 1) as postponed
      from dispatch_lanes l where not l.is_postponed
    ) as each
    where batch is not null or single is not null or postponed is not null order by lane`.execute(db)
  return rows
}
