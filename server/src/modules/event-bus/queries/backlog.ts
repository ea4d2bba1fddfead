/** The backlog of the dispatch: reads both tables of what is to be dispatched, which are short by design. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

interface Backlog {
  count: number
  ageSec: number
}

export const readBacklogUnscoped = async (db: Db): Promise<Backlog> => {
  const { rows } = await sql<Backlog>`
    with waiting as (
      select cardinality(seqs) as events, seq from event_batches
      union all select 1, seq from event_dispatches where due_at <= now()
    )
    select coalesce(sum(events), 0)::float8 as count,
      coalesce(greatest(0, extract(epoch from now() -
        (select published_at from events where seq = (select min(seq) from waiting)))), 0)::float8 as age_sec
    from waiting`.execute(db)
  return rows[0] ?? { count: 0, ageSec: 0 }
}
