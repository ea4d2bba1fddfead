/** How many runs were started below one: counted at the run at the top, under its lock. All of it is unscoped. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { RunRow } from './claims.ts'

export type LockedRun = Pick<RunRow, 'id' | 'status' | 'epoch' | 'leaseNode' | 'descendants'>

/**
 * Locks runs that a transaction is about to change, in the order of their ids, which is that of their creation: those that
 * change the same tree lock it from the top, so none waits for another that waits for it.
 */
export const lockRunsUnscoped = async (tx: Db, ids: readonly string[]): Promise<Map<string, LockedRun>> => {
  const { rows } = await sql<LockedRun>`
    select id, status, epoch, lease_node, descendants from runs where id = any(${ids}::uuid[])
    order by id for no key update`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** By the run at the top. */
export const addDescendantsUnscoped = async (tx: Db, counts: ReadonlyMap<string, number>): Promise<void> => {
  await sql`
    update runs r set descendants = r.descendants + counted.count
    from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::integer[]) as counted (id, count)
    where r.id = counted.id`.execute(tx)
}

export const countDescendantsUnscoped = async (db: Db, rootId: string): Promise<number> => {
  const row = await db.selectFrom('runs').select('descendants').where('id', '=', rootId).executeTakeFirst()
  return row?.descendants ?? 0
}
