/** All SQL for `live_nodes`. Times are the database's, so nodes with a wrong clock are no exception. */
import type { Db } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'

export interface LiveNode {
  id: string
  works: boolean
  hears: readonly string[]
}

interface OwnNode extends LiveNode {
  /** The keys it can decrypt with, for `chancery rotate-keys`. */
  opens: readonly string[]
}

/** A node that was not seen for so long is gone. */
const goneAfterMs = 3000

/** Renews the own row and returns the other nodes that are alive. Rows that nobody renews are removed after a minute. */
export const renewNodeUnscoped = async (db: Db, { id, works, hears, opens }: OwnNode): Promise<LiveNode[]> => {
  const { rows } = await prepared<LiveNode>`
    with renewed as (
      insert into live_nodes (id, seen_at, works, hears, opens)
      values (${id}, statement_timestamp(), ${works}, ${hears}::text[], ${opens}::text[])
      on conflict (id) do update set seen_at = excluded.seen_at, works = excluded.works, hears = excluded.hears
    ), removed as (
      delete from live_nodes where id in (
        select id from live_nodes where id <> ${id} and seen_at < statement_timestamp() - interval '1 minute'
        for update skip locked)
    )
    select id, works, hears from live_nodes
    where id <> ${id} and seen_at > statement_timestamp() - ${goneAfterMs}::int * interval '1 millisecond'
    order by id`.execute(db)
  return rows
}
