/** The backlog of the dispatch: reads all tables of what is to be dispatched, which are short by design. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

interface Backlog {
  count: number
  /** Of tenants that are over their share: an event counts once for each. */
  postponed: number
  ageSec: number
}

export const readBacklogUnscoped = async (db: Db): Promise<Backlog> => {
  const { rows } = await sql<Backlog>`
    with waiting as (
      select cardinality(seqs) as events, seq from event_batches
      union all select 1, seq from event_dispatches where due_at <= now()
      union all select 1, seq from postponed_events where due_at <= now()
    )
    select coalesce(sum(events), 0)::float8 as count,
      (select count(*) from postponed_events)::float8 as postponed,
      coalesce(greatest(0, extract(epoch from now() -
        (select published_at from events where seq = (select min(seq) from waiting)))), 0)::float8 as age_sec
    from waiting`.execute(db)
  return rows[0] ?? { count: 0, postponed: 0, ageSec: 0 }
}
